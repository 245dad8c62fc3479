// SPDX-License-Identifier: Apache-2.0

/// The script of the pickers of relationships. Without it, a member is unticked, and added by its ID or its label.
enum PickerScript {
    static let text = """
        function setUpPicker(picker) {
          const field = picker.querySelector('.search input');
          const chosen = picker.querySelector('.chosen');
          const list = document.createElement('ul');
          list.id = field.id + '-list';
          list.setAttribute('role', 'listbox');
          list.setAttribute('aria-label', field.placeholder);
          list.hidden = true;
          field.after(list);
          for (const [name, value] of Object.entries({
            'role': 'combobox', 'aria-autocomplete': 'list', 'aria-expanded': 'false', 'aria-controls': list.id }))
            field.setAttribute(name, value);
          let timer, latest = 0, active = -1;

          function close() {
            latest += 1;
            list.hidden = true;
            field.setAttribute('aria-expanded', 'false');
            field.removeAttribute('aria-activedescendant');
          }

          function activate(index) {
            active = index;
            [...list.children].forEach((option, at) => option.setAttribute('aria-selected', String(at === index)));
            const option = list.children[index];
            if (!option) return field.removeAttribute('aria-activedescendant');
            field.setAttribute('aria-activedescendant', option.id);
            option.scrollIntoView({ block: 'nearest' });
          }

          function choose(option) {
            const known = [...chosen.querySelectorAll('input')].find(input => input.value === option.dataset.id);
            if (known && 'many' in picker.dataset) {
              known.checked = true;
            } else {
              if (!('many' in picker.dataset)) chosen.replaceChildren();
              const item = document.createElement('li'), tick = document.createElement('input');
              const link = document.createElement('a');
              Object.assign(tick, { type: 'checkbox', name: 'r.' + picker.dataset.name, value: option.dataset.id });
              tick.checked = true;
              tick.setAttribute('aria-label', option.dataset.label);
              const slash = option.dataset.id.lastIndexOf('/');
              link.href = '/o/' + encodeURIComponent(option.dataset.id.slice(0, slash))
                + option.dataset.id.slice(slash);
              link.textContent = option.dataset.label;
              item.append(tick, ' ', link);
              chosen.append(item);
              if ('ordered' in picker.dataset) setUpOrder(item);
            }
            field.value = '';
            close();
            field.dispatchEvent(new Event('change', { bubbles: true }));
          }

          async function search() {
            const number = ++latest;
            const answer = await fetch(picker.dataset.find + '?q=' + encodeURIComponent(field.value));
            if (!answer.ok || number !== latest) return;
            const found = await answer.json();
            if (number !== latest) return;
            list.replaceChildren(...found.map((item, index) => {
              const option = document.createElement('li'), id = document.createElement('span');
              option.id = list.id + '-' + index;
              option.setAttribute('role', 'option');
              Object.assign(option.dataset, item);
              id.className = 'type';
              id.textContent = ' ' + item.id;
              option.append(item.label, id);
              option.addEventListener('mousedown', event => { event.preventDefault(); choose(option); });
              return option;
            }));
            list.hidden = found.length === 0;
            field.setAttribute('aria-expanded', String(found.length > 0));
            activate(found.length ? 0 : -1);
          }

          field.addEventListener('input', () => { clearTimeout(timer); timer = setTimeout(search, 150); });
          field.addEventListener('focus', search);
          field.addEventListener('blur', close);
          field.addEventListener('keydown', event => {
            if (list.hidden) {
              if (event.key === 'ArrowDown') { event.preventDefault(); search(); }
              return;
            }
            const count = list.children.length;
            if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
              event.preventDefault();
              activate((active + (event.key === 'ArrowDown' ? 1 : count - 1)) % count);
            } else if (event.key === 'Enter' && list.children[active]) {
              event.preventDefault();
              choose(list.children[active]);
            } else if (event.key === 'Escape') {
              event.stopPropagation();
              close();
            }
          });
          if ('ordered' in picker.dataset) for (const item of chosen.children) setUpOrder(item);
        }

        let dragged = null;

        function setUpOrder(item) {
          const label = item.querySelector('input').getAttribute('aria-label');
          for (const [sign, words, back] of [['↑', 'Move up: ', true], ['↓', 'Move down: ', false]]) {
            const button = document.createElement('button');
            button.type = 'button';
            button.textContent = sign;
            button.className = 'move';
            button.setAttribute('aria-label', words + label);
            button.addEventListener('click', () => {
              const other = back ? item.previousElementSibling : item.nextElementSibling;
              if (!other) return;
              if (back) other.before(item); else other.after(item);
              item.dispatchEvent(new Event('change', { bubbles: true }));
              button.focus();
            });
            item.append(' ', button);
          }
          item.draggable = true;
          item.addEventListener('dragstart', event => {
            dragged = item;
            event.dataTransfer.effectAllowed = 'move';
            event.dataTransfer.setData('text/plain', label);
          });
          item.addEventListener('dragend', () => {
            dragged = null;
            item.dispatchEvent(new Event('change', { bubbles: true }));
          });
          item.addEventListener('dragover', event => {
            if (!dragged || dragged.parentNode !== item.parentNode) return;
            event.preventDefault();
            const box = item.getBoundingClientRect();
            if (dragged === item) return;
            if (event.clientY < box.top + box.height / 2) item.before(dragged); else item.after(dragged);
          });
          item.addEventListener('drop', event => event.preventDefault());
        }

        """
}
