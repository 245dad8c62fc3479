// SPDX-License-Identifier: Apache-2.0

/// The script of the model editor: it sends commands, and shows the parts of the page that the answers bring.
enum EditorScript {
    static var all: String { text + EditorFormScript.text + EditorDiagramScript.text + start }

    private static let text = #"""
        'use strict';
        const token = document.body.dataset.token;
        let revision = Number(document.body.dataset.revision);
        let path = document.body.dataset.path;
        let queue = Promise.resolve();
        let filterText = '', zoom = 100, noteTimer, isGone = false, isReplacing = false;

        const query = () => path.includes('?') ? path.slice(path.indexOf('?') + 1) : '';
        const isText = element => element?.matches?.('input:not([type=checkbox]):not([type=range]), textarea');
        const isTyped = element => isText(element) && element.value !== element.defaultValue;

        function say(text, isError) {
          const note = document.getElementById('note');
          clearTimeout(noteTimer);
          note.textContent = text;
          note.className = isError ? 'error' : '';
          if (text && !isGone) noteTimer = setTimeout(() => { note.textContent = ''; }, isError ? 9000 : 4000);
        }

        function marks() {
          const result = {};
          for (const place of document.querySelectorAll('[data-part]')) result[place.id] = place.dataset.mark;
          return result;
        }

        // A part that arrives between pressing and releasing the pointer would take the click away.
        let release, released = Promise.resolve();
        document.addEventListener('pointerdown', () => {
          if (!release) released = new Promise(resolve => { release = resolve; });
        }, true);
        for (const name of ['pointerup', 'pointercancel']) {
          document.addEventListener(name, () => setTimeout(() => { release?.(); release = undefined; }), true);
        }

        // How the element with the focus is found in the new version of its part.
        function placeOf(element, part) {
          if (element.id) return next => next.querySelector('#' + CSS.escape(element.id));
          for (const name of ['data-box', 'data-set', 'data-command', 'data-filter', 'href']) {
            const value = element.getAttribute(name);
            if (value !== null) return next => next.querySelector(`[${name}="${CSS.escape(value)}"]`);
          }
          const name = element.getAttribute('name');
          if (!name) return () => null;
          const index = [...part.querySelectorAll(`[name="${name}"]`)].indexOf(element);
          return next => next.querySelectorAll(`[name="${name}"]`)[index];
        }

        function replace(part, answer) {
          const text = part.querySelector('#text');
          if (text && isTyped(text) && !text.dataset.sent) {
            document.getElementById('text-message').textContent =
              'The model has changed meanwhile. Reset shows the new text and drops what is typed here.';
            text.dataset.stale = '1';
            part.dataset.mark = '';
            return;
          }
          const active = part.contains(document.activeElement) ? document.activeElement : null;
          const find = active && placeOf(active, part);
          const typed = active && isTyped(active) && !active.dataset.sent ? active.value : null;
          const selection = active && isText(active) ? [active.selectionStart, active.selectionEnd] : null;
          const scrolled = [...part.querySelectorAll('.canvas, .lists, .numbered')]
            .map(e => [e.scrollLeft, e.scrollTop]);
          const top = part.scrollTop;
          // A browser may report that a removed field has lost the focus, although the user has not finished typing in
          // it.
          isReplacing = true;
          part.innerHTML = answer.html;
          isReplacing = false;
          part.dataset.mark = answer.mark;
          part.scrollTop = top;
          [...part.querySelectorAll('.canvas, .lists, .numbered')].forEach((e, i) => {
            if (scrolled[i]) [e.scrollLeft, e.scrollTop] = scrolled[i];
          });
          const next = find?.(part);
          if (!next) return;
          next.focus({ preventScroll: true });
          if (typed !== null) {
            next.value = typed;
            if (next.id === 'text') numberLines();
          }
          if (selection && isText(next)) {
            try { next.setSelectionRange(...selection); } catch { /* A search box in some browsers. */ }
          }
        }

        async function install(answer, isPushed) {
          await released;
          revision = answer.revision;
          const old = path;
          path = answer.path;
          document.title = answer.title;
          for (const [id, part] of Object.entries(answer.parts)) replace(document.getElementById(id), part);
          const tab = new URLSearchParams(query()).get('tab') || 'list';
          document.querySelector('.work').className = 'work view-' + tab;
          if (path !== old) history[isPushed === false ? 'replaceState' : 'pushState'](null, '', path);
          filter();
          drawDiagram();
          if (!answer.isChecked) check();
        }

        // Brings the problems of a state that an answer has shown without them.
        async function check() {
          const seen = revision;
          try {
            const have = '&have=' + encodeURIComponent(new URLSearchParams(marks()));
            const response = await fetch('/view?' + query() + '&checked=1' + have);
            const answer = await response.json();
            // After the commands that were sent during the request: their answers are newer.
            queue = queue.then(() => {
              const isOfNow = !answer.error && answer.revision === seen && revision === seen && answer.path === path;
              if (isOfNow) return install(answer, false);
            }).catch(() => {});
          } catch { /* The next question to the server says why. */ }
        }

        function gone() {
          isGone = true;
          say('The editor has ended. Start it again: changes that were not saved are lost.', true);
        }

        // Commands go one after the other, so that each knows the revision of the one before.
        function send(command, field) {
          const result = queue.then(() => post(command, field));
          queue = result.catch(() => {});
          return result;
        }

        async function post(command, field) {
          let answer;
          try {
            const response = await fetch('/edit', {
              method: 'POST', headers: { 'Content-Type': 'application/json', 'X-Form-Token': token },
              body: JSON.stringify({ revision, view: query(), have: marks(), command }),
            });
            answer = await response.json();
          } catch {
            gone();
            return false;
          }
          if (answer.revision) await install(answer);
          if (answer.error) {
            showError(answer, field);
            return false;
          }
          if (answer.note) say(answer.note);
          return true;
        }

        function showError(answer, field) {
          const place = field?.isConnected ? field : null;
          const message = place?.getAttribute('aria-describedby')
            ? document.getElementById(place.getAttribute('aria-describedby').split(' ')[0])
            : place?.closest('fieldset, form')?.querySelector('.message');
          if (!message) {
            say(answer.error, true);
            return;
          }
          message.textContent = answer.error;
          place.setAttribute('aria-invalid', 'true');
          delete place.dataset.sent;
        }

        function navigate(address, isPushed) {
          queue = queue.then(() => show(address, isPushed));
          return queue;
        }

        async function show(address, isPushed) {
          const at = address.indexOf('?');
          try {
            const response = await fetch('/view' + (at < 0 ? '' : address.slice(at)));
            const answer = await response.json();
            if (answer.error) say(answer.error, true); else await install(answer, isPushed);
          } catch { gone(); }
        }

        async function poll() {
          if (document.hidden) return;
          try {
            const state = await (await fetch('/state')).json();
            if (isGone) location.reload();
            if (state.revision === revision) return;
            // After the commands that were sent during the request: their answers may have brought this revision, and
            // another path.
            queue = queue.then(() => state.revision === revision ? null : show(path, false));
            await queue;
          } catch { if (!isGone) gone(); }
        }

        """#

    private static let start = #"""
        // A page that is loaded again runs no trial.
        if (new URLSearchParams(location.search).has('try')) history.replaceState(null, '', path);
        addEventListener('popstate', () => {
          const field = document.activeElement;
          if (isField(field) && isText(field)) commit(field);
          navigate(location.pathname + location.search, false);
        });
        drawDiagram();
        setInterval(poll, 1500);

        """#
}

/// The part of the script for fields, forms and keys.
enum EditorFormScript {
    static let text = #"""
        // MARK: Fields

        function commit(field) {
          const set = field.dataset.set;
          const isChoice = field.matches('select, [type=checkbox]');
          if (!isChoice && (!isTyped(field) || field.dataset.sent === field.value)) return;
          const list = field.closest('[data-user-info], [data-index], [data-members]');
          let command;
          const view = query();
          if (set) {
            const value = field.type === 'checkbox' ? (field.checked ? 'YES' : 'NO') : field.value;
            command = { ...JSON.parse(set), value };
          } else if (field.dataset.rename) {
            const keepsValues = field.parentElement.querySelector('[data-keeps]')?.checked ?? false;
            command = { kind: 'rename', path: field.dataset.rename, name: field.value, keepsValues };
          } else if (field.dataset.constraints) {
            const lists = field.value.split('\n').map(line => line.split(',').map(name => name.trim()).filter(Boolean));
            command = {
              kind: 'constraints', path: field.dataset.constraints, lists: lists.filter(list => list.length),
            };
          } else if (list) {
            command = listCommand(list);
          }
          if (!command) return;
          if (isText(field)) field.dataset.sent = field.value;
          const result = send(command, field);
          if (command.kind === 'rename') remember(field.defaultValue, command, result, new URLSearchParams(view));
          return result;
        }

        // The names before the renames of this window that set no renaming ID, by the version and the path of now.
        const formerNames = new Map();
        let lastRename = Promise.resolve();

        const placeName = (search, at) => (search.get('version') ?? '') + ' ' + at;

        function remember(old, command, result, search) {
          lastRename = result.then(isDone => {
            if (!isDone) return;
            const now = new URLSearchParams(query());
            const before = placeName(search, command.path);
            const first = formerNames.get(before) ?? old;
            formerNames.delete(before);
            if (command.keepsValues || first === command.name.trim()) return;
            formerNames.set(placeName(now, now.get('at')), first);
          });
        }

        // A tick behind the rename sets the renaming ID; one before it goes with the rename.
        async function keepValues(box) {
          const name = box.closest('.setting').querySelector('[data-rename]');
          if (isTyped(name) && !name.dataset.sent) return;
          await lastRename;
          const now = new URLSearchParams(query());
          const key = placeName(now, now.get('at'));
          const old = formerNames.get(key);
          if (old === undefined) return;
          const command = { kind: 'set', path: now.get('at'), attribute: 'elementID', value: old };
          if (!await send(command)) return;
          formerNames.delete(key);
          // The box is gone.
          if (document.activeElement === document.body) document.getElementById('field-elementID')?.focus();
        }

        function listCommand(list) {
          const value = (row, name) => row.querySelector(`[name=${name}]`).value;
          if (list.dataset.userInfo) {
            const entries = [...list.querySelectorAll('.pair')]
              .map(row => ({ key: value(row, 'key'), value: value(row, 'value') }));
            // A value may follow its key.
            if (entries.some(entry => !entry.key && entry.value)) return;
            return { kind: 'userInfo', path: list.dataset.userInfo, entries };
          }
          if (list.dataset.members) {
            const names = [...list.querySelectorAll('input:checked')].map(box => box.value);
            return { kind: 'members', path: list.dataset.members, names };
          }
          const elements = [...list.querySelectorAll('.element')].map(row => {
            const element = {
              isDescending: value(row, 'order') === 'descending', isSpatial: value(row, 'type') === 'RTree',
            };
            if (value(row, 'property') === '()') {
              element.expression = value(row, 'expression').trim();
              element.expressionType = value(row, 'expressionType');
            } else element.property = value(row, 'property');
            return element;
          }).filter(element => element.property !== '');
          // An expression follows its choice.
          if (elements.some(element => element.expression === '')) return;
          return { kind: 'index', path: list.dataset.index, elements };
        }

        const isField = element => element.matches?.('input, select, textarea')
          && element.closest('#inspector, #main') && !element.closest('form') && element.id !== 'zoom';

        document.addEventListener('change', event => {
          const element = event.target;
          if (isReplacing) return;
          if (element.matches('[data-version], [data-with]')) {
            const search = new URLSearchParams(query());
            search.set(element.matches('[data-version]') ? 'version' : 'with', element.value);
            search.delete('try');
            navigate('/?' + search);
          } else if (element.matches('[data-keeps]')) {
            if (element.checked) keepValues(element);
          } else if (isField(element)) commit(element);
        });
        document.addEventListener('focusout', event => {
          if (!isReplacing && isField(event.target) && isText(event.target)) commit(event.target);
        });
        document.addEventListener('input', event => {
          const element = event.target;
          if (element.matches('[data-filter]')) {
            filterText = element.value;
            filter();
          } else if (element.id === 'zoom') {
            zoom = Number(element.value);
            drawDiagram();
          } else if (element.id === 'text') {
            delete element.dataset.sent;
            numberLines();
          }
        });

        // The text is as high as its lines, each of which has its number.
        function numberLines() {
          const text = document.getElementById('text');
          const count = text.value.split('\n').length;
          text.rows = Math.max(20, count + 1);
          const lines = document.getElementById('text-lines');
          lines.textContent = Array.from({ length: count }, (_, index) => `${index + 1}\n`).join('');
        }

        // Puts the cursor where a message says that the text is wrong, and the line into view.
        function showLine(message) {
          const place = /^Line (\d+)(?:, column (\d+))?/.exec(message);
          const text = document.getElementById('text');
          const all = text.value.split('\n');
          if (!place || Number(place[1]) > all.length) return;
          numberLines();
          const line = Number(place[1]);
          const start = all.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
          const at = start + Math.min(Number(place[2] ?? 1) - 1, all[line - 1].length);
          text.focus({ preventScroll: true });
          text.setSelectionRange(at, at);
          const lines = document.getElementById('text-lines');
          const mark = document.createElement('mark');
          mark.textContent = line;
          const numbers = lines.textContent.split('\n');
          const before = numbers.slice(0, line - 1).map(number => number + '\n').join('');
          lines.replaceChildren(before, mark, '\n' + numbers.slice(line).join('\n'));
          mark.scrollIntoView({ block: 'center' });
        }

        function filter() {
          const box = document.querySelector('[data-filter]');
          if (box && box.value !== filterText) box.value = filterText;
          const wanted = filterText.toLowerCase();
          let count = 0;
          for (const item of document.querySelectorAll('#entities li')) {
            item.hidden = !item.dataset.name.toLowerCase().includes(wanted);
            if (!item.hidden) count += 1;
          }
          const none = document.getElementById('no-match');
          if (none) none.hidden = count > 0 || !wanted;
        }

        // MARK: Clicks and forms

        document.addEventListener('click', async event => {
          const link = event.target.closest('a[data-view]');
          if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0) {
            event.preventDefault();
            const address = link.getAttribute('href');
            const at = new URLSearchParams(address.slice(address.indexOf('?'))).get('at') ?? '';
            const isProperty = link.closest('#main') && (at.includes('/') || link.matches('.button'));
            await navigate(address);
            // In a narrow window the settings stand below the list.
            if (isProperty && matchMedia('(max-width: 820px)').matches) {
              document.getElementById('inspector').scrollIntoView();
            }
            return;
          }
          const button = event.target.closest('button');
          if (button?.dataset.command) {
            const isDone = await send(JSON.parse(button.dataset.command), button);
            if (isDone && button.dataset.focus) document.getElementById('field-name')?.select();
          } else if (button?.dataset.relate) openRelation(button.dataset.relate, '');
        });

        document.addEventListener('submit', async event => {
          const form = event.target;
          if (form.closest('dialog')) return;
          event.preventDefault();
          if (form.dataset.add) {
            const name = form.elements.name;
            const attributes = { attributeType: form.elements.attributeType.value };
            const isDone = await send({ ...JSON.parse(form.dataset.add), name: name.value, attributes }, name);
            const next = document.querySelector('form[data-add]');
            if (!isDone || !next) return;
            next.elements.name.value = '';
            next.elements.attributeType.value = attributes.attributeType;
            next.elements.name.focus();
          } else if ('addVersion' in form.dataset) {
            send({ kind: 'addVersion', name: form.elements.name.value }, form.elements.name);
          } else if (form.id === 'text-form') {
            const text = document.getElementById('text');
            if (!isTyped(text)) return;
            text.dataset.sent = '1';
            if (await send({ kind: 'text', text: text.value }, text)) return;
            delete text.dataset.sent;
            if (text.isConnected) showLine(document.getElementById('text-message').textContent);
          }
        });
        document.addEventListener('reset', event => {
          const text = event.target.querySelector('#text');
          if (!text) return;
          document.getElementById('text-message').textContent = '';
          setTimeout(() => navigate(path, false));
        });

        // MARK: The dialog of a relationship

        function openRelation(source, destination) {
          const dialog = document.getElementById('relation');
          const form = dialog.querySelector('form');
          const select = form.elements.destination;
          const other = [...document.querySelectorAll('#entities li')].find(item => item.dataset.name !== source);
          select.replaceChildren(...[...document.querySelectorAll('#entities li')].map(item => {
            const option = document.createElement('option');
            option.value = option.textContent = item.dataset.name;
            return option;
          }));
          form.reset();
          select.value = destination || other?.dataset.name || source;
          document.getElementById('relation-source').textContent = source;
          document.getElementById('relation-message').textContent = '';
          dialog.dataset.source = source;
          dialog.showModal();
          (destination ? form.elements.name : select).focus();
        }

        document.getElementById('relation')?.addEventListener('submit', async event => {
          if (event.submitter?.value === 'cancel') return;
          event.preventDefault();
          const dialog = event.currentTarget;
          const form = dialog.querySelector('form');
          const relation = {
            source: dialog.dataset.source, destination: form.elements.destination.value,
            isToMany: form.elements.isToMany.checked, inverseIsToMany: form.elements.inverseIsToMany.checked,
          };
          if (form.elements.name.value.trim()) relation.name = form.elements.name.value;
          relation.inverse = form.elements.noInverse.checked ? '' : form.elements.inverse.value.trim() || null;
          if (!await send({ kind: 'relate', relation }, form.elements.name)) return;
          dialog.close();
          // The button that opened the dialog was replaced.
          const places = ['#main tr.selected th a', '#main .box.selected', '#main [data-relate]', '#main'];
          places.map(place => document.querySelector(place)).find(Boolean)?.focus();
        });

        // MARK: Keys

        document.addEventListener('keydown', event => {
          const field = event.target.closest?.('input, textarea, select');
          const isCommand = event.ctrlKey || event.metaKey;
          const key = event.key.toLowerCase();
          if (isCommand && key === 's') {
            event.preventDefault();
            if (field && isField(field)) commit(field);
            send({ kind: 'save' });
          } else if (isCommand && (key === 'z' || key === 'y')) {
            // Text that is being typed has the undo of its field.
            if (field && isTyped(field)) return;
            event.preventDefault();
            send({ kind: key === 'y' || event.shiftKey ? 'redo' : 'undo' });
          } else if (isCommand && event.key === 'Enter' && field?.id === 'text') {
            event.preventDefault();
            field.form.requestSubmit();
          } else if (event.key === 'Enter' && field && isText(field) && field.tagName === 'INPUT' && isField(field)) {
            event.preventDefault();
            commit(field);
          } else if (event.key === 'Escape' && field && isField(field) && isTyped(field)) {
            field.value = field.defaultValue;
          } else if (event.key === '/' && !field) {
            event.preventDefault();
            document.querySelector('[data-filter]')?.select();
          }
        });

        """#
}
