// SPDX-License-Identifier: Apache-2.0

/// The script of the pages. All of them work without it, but for the message about a predicate while it is typed.
enum BrowserScript {
    static let text = page + PickerScript.text + RefreshScript.text + start

    private static let page = """
        'use strict';
        let box = null;

        async function fillCounts() {
          for (const link of document.querySelectorAll('[data-count]')) {
            link.setAttribute('aria-busy', 'true');
            try {
              const answer = await fetch(link.dataset.count);
              const text = await answer.text();
              if (answer.ok) {
                const number = document.createElement('span');
                number.textContent = Number(text).toLocaleString('en');
                number.className = 'count';
                link.replaceWith(number);
              }
            } catch { break; }
            link.removeAttribute('aria-busy');
          }
        }

        function watchPredicate() {
          const message = document.getElementById('p-message');
          let timer, latest = 0;
          box.addEventListener('input', () => {
            clearTimeout(timer);
            timer = setTimeout(async () => {
              const number = ++latest;
              const answer = await fetch(box.dataset.check + '?p=' + encodeURIComponent(box.value));
              if (!answer.ok || number !== latest) return;
              const result = await answer.json();
              message.textContent = result.message;
              box.setAttribute('aria-invalid', result.message ? 'true' : 'false');
            }, 200);
          });
        }

        document.addEventListener('keydown', event => {
          const field = event.target.closest('input, textarea, select');
          if (event.key === '/' && !field && box) {
            event.preventDefault();
            box.focus();
            box.select();
          } else if (event.key === 'Escape') {
            if (field) field.blur();
            for (const panel of document.querySelectorAll('details[open]')) panel.open = false;
          } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && !field) {
            const links = [...document.querySelectorAll('tbody th a')];
            const at = links.indexOf(document.activeElement);
            const next = links[event.key === 'ArrowDown' ? at + 1 : at - 1];
            const enters = event.key === 'ArrowDown' && at < 0 && document.activeElement.closest('.scroll');
            if (next && at >= 0 || enters && links.length) {
              event.preventDefault();
              (next || links[0]).focus();
            }
          }
        });

        """

    private static let start = """
        // A value that is typed isn't nil, and nil has no text.
        document.addEventListener('input', event => {
          const field = event.target;
          const fields = field.form?.elements;
          if (field.name?.startsWith('v.')) {
            const none = fields?.namedItem('nil.' + field.name.slice(2));
            if (none) none.checked = false;
          } else if (field.name?.startsWith('nil.')) {
            const value = fields?.namedItem('v.' + field.name.slice(4));
            if (!value || value.tagName === 'SELECT') return;
            if (field.checked) value.dataset.typed = value.value;
            value.value = field.checked ? '' : value.dataset.typed ?? '';
          }
        });

        function setUp() {
          box = document.querySelector('[data-check]');
          if (box) watchPredicate();
          for (const picker of document.querySelectorAll('.picker')) setUpPicker(picker);
          for (const form of document.querySelectorAll('form.object, form.selection')) {
            for (const name of ['input', 'change']) form.addEventListener(name, () => { isTouched = true; });
          }
          // The line about what was done is not shown again with the page.
          const address = new URL(location.href);
          if (address.searchParams.has('done')) {
            address.searchParams.delete('done');
            history.replaceState(null, '', address);
          }
          fillCounts();
        }

        setUp();
        setTimeout(watchStore, 1500);

        """
}
