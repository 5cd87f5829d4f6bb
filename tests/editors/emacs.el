;; A session in Emacs by its own commands; what came of each is printed as JSON.
(require 'flymake)
(require 'json)
(setq eglot-sync-connect 60)

(defun wait-for (what)
  (let ((left 600))
    (while (and (> left 0) (not (funcall what)))
      (accept-process-output nil 0.1)
      (setq left (1- left)))))

(defun go-to (text)
  (goto-char (point-min))
  (search-forward text)
  (goto-char (match-beginning 0)))

(defvar told nil)

(defun tell (name value)
  (push (cons name value) told))

(find-file "small.rules")
(apply #'eglot--connect (eglot--guess-contact))
(wait-for #'flymake-diagnostics)
(tell "mistakes" (vconcat (mapcar #'flymake-diagnostic-text (flymake-diagnostics))))

(go-to "hepa")
(let ((last-nonmenu-event ?\r) ; by keys, not by a menu
      (completing-read-function
       (lambda (_ offered &rest _)
         (tell "offered" (vconcat (mapcar #'car offered)))
         (caar offered))))
  (eglot-code-actions (point) (point) nil t))

(go-to "heap to box")
(let ((found (run-hook-with-args-until-success 'completion-at-point-functions)))
  (tell "completions"
        (vconcat (mapcar #'substring-no-properties (all-completions "" (nth 2 found))))))

(go-to "place heap")
(search-forward "place he")
(eglot-rename "pile")

(go-to "if empty")
(end-of-line)
(let ((last-command-event ?\n))
  (call-interactively #'newline))
(tab-to-tab-stop)
(tell "column" (current-column))
(delete-region (line-end-position 0) (point))

(go-to "n from pile")
(insert "  ")
(eglot-format-buffer)
(tell "text" (buffer-substring-no-properties (point-min) (point-max)))

(set-buffer-modified-p nil)
(princ (json-encode told))
(kill-emacs 0)
