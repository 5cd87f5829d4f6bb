"""Where everything lies in memory, and positions written there from outside."""
