"""The parts that lower what may be chosen, assembled."""

from __future__ import annotations

import attrs

from ruledsl.engine.choices.candidates import Candidates, DecisionSites
from ruledsl.engine.choices.domains import Domains
from ruledsl.engine.choices.drawing_by_count import DrawingByCount
from ruledsl.engine.choices.drawing_by_trial import DrawingByTrial
from ruledsl.engine.choices.drawing_in_pairs import DrawingInPairs
from ruledsl.engine.choices.indistinguishable import Indistinguishable
from ruledsl.engine.choices.legality import Legality
from ruledsl.engine.choices.listing import Listing
from ruledsl.engine.choices.offers import Offers
from ruledsl.engine.choices.pairs import Pairs
from ruledsl.engine.choices.plans import Planner
from ruledsl.engine.choices.sampling import Sampling
from ruledsl.engine.choices.short_lists import ShortLists
from ruledsl.engine.choices.taking import Taking
from ruledsl.engine.context import Context
from ruledsl.engine.effects.effects import Effects
from ruledsl.engine.expressions.any_expression import AnyExpression
from ruledsl.engine.sets.keeping import KeptSets


@attrs.frozen
class Choices:
    """Lowers what may be chosen."""

    candidates: Candidates
    sites: DecisionSites
    indistinguishable: Indistinguishable
    legality: Legality
    listing: Listing
    drawing: DrawingByTrial
    taking: Taking

    @classmethod
    def assembled(
        cls, context: Context, expressions: AnyExpression, keeping: KeptSets, effects: Effects
    ) -> Choices:
        queries, sieving = expressions.queries, expressions.sieving
        candidates = Candidates.of(context)
        alike = Indistinguishable(context, keeping, effects.seeing, effects.moving, candidates)
        foresight = expressions.foresight
        planner = Planner(context.game, foresight.words.harmless, foresight.wrong.may)
        domains = Domains(context, foresight, expressions.hoisting)
        legality = Legality(
            context,
            expressions,
            keeping,
            expressions.unchanging,
            sieving,
            queries,
            candidates,
            planner,
            domains,
        )
        sites = DecisionSites.of(context)
        offers = Offers(context, expressions, candidates, sites, alike, planner, legality)
        listing = Listing(context, queries, offers)
        drawing = DrawingByTrial(
            context,
            keeping,
            effects.seeing,
            offers,
            listing,
            Sampling(context, keeping, sieving),
            DrawingByCount(context, sieving, offers),
            DrawingInPairs(
                context,
                expressions.unchanging,
                offers,
                Pairs(context, domains, expressions.unchanging),
            ),
            ShortLists(context, offers, listing),
        )
        taking = Taking(context, candidates)
        return cls(candidates, sites, alike, legality, listing, drawing, taking)
