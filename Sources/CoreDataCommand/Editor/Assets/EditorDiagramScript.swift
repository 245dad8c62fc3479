// SPDX-License-Identifier: Apache-2.0

/// The part of the script for the diagram: lines between boxes, boxes that move, relationships that are drawn.
enum EditorDiagramScript {
    static let text = #"""
        // MARK: The diagram

        const boxWidth = 192, headHeight = 28, rowHeight = 20;

        function boxAt(name) {
          const box = document.querySelector(`[data-box="${CSS.escape(name)}"]`);
          if (!box) return null;
          const [x, y] = box.getAttribute('transform').match(/-?[\d.]+/g).map(Number);
          return { box, x, y, height: Number(box.dataset.height) };
        }

        const rowAt = (place, row) =>
          place.y + (row < 0 ? headHeight / 2 : headHeight + row * rowHeight + rowHeight / 2);

        // The mark at the end of a line: a crow's foot for many objects, a bar for one.
        function endMark(x, y, direction, isMany) {
          const far = x + direction * 11;
          return isMany
            ? `M${x} ${y - 6}L${far} ${y}L${x} ${y + 6}`
            : `M${x + direction * 7} ${y - 5}v10`;
        }

        function wayOf(line, places) {
          const from = places(line.dataset.from), to = places(line.dataset.to);
          if (!from || !to) return '';
          if (line.dataset.kind === 'inherits') {
            const [middle1, middle2] = [from.x + boxWidth / 2, to.x + boxWidth / 2];
            const [bottom, foot] = [to.y + to.height, from.y + from.height];
            if (bottom + 20 < from.y || foot + 20 < to.y) {
              const [start, end, tip] = bottom < from.y ? [from.y, bottom, 9] : [foot, to.y, -9];
              const half = (start + end + tip) / 2;
              return `M${middle2 - 6} ${end + tip}L${middle2} ${end}L${middle2 + 6} ${end + tip}Z`
                + `M${middle2} ${end + tip}C${middle2} ${half} ${middle1} ${half} ${middle1} ${start}`;
            }
            // Beside each other: from side to side, at the height of the names.
            const side = to.x > from.x ? -1 : 1;
            const x1 = from.x + (side < 0 ? boxWidth : 0), x2 = to.x + (side > 0 ? boxWidth : 0), tip = x2 + side * 9;
            const y1 = from.y + headHeight / 2, y2 = to.y + headHeight / 2;
            return `M${tip} ${y2 - 6}L${x2} ${y2}L${tip} ${y2 + 6}Z`
              + `M${tip} ${y2}C${(x1 + tip) / 2} ${y2} ${(x1 + tip) / 2} ${y1} ${x1} ${y1}`;
          }
          const y1 = rowAt(from, Number(line.dataset.row)), y2 = rowAt(to, Number(line.dataset.back));
          let side1 = 1, side2 = -1;
          if (to.x + boxWidth / 2 < from.x) [side1, side2] = [-1, 1];
          else if (to.x < from.x + boxWidth && from.x < to.x + boxWidth) [side1, side2] = [1, 1];
          const x1 = from.x + (side1 > 0 ? boxWidth : 0), x2 = to.x + (side2 > 0 ? boxWidth : 0);
          const bend = side1 === side2 ? 60 : Math.max(40, Math.abs(x2 - x1) / 2);
          let way = `M${x1} ${y1}C${x1 + side1 * bend} ${y1} ${x2 + side2 * bend} ${y2} ${x2} ${y2}`;
          way += endMark(x2, y2, side2, line.dataset.many === '1');
          if (line.dataset.inverseMany) way += endMark(x1, y1, side1, line.dataset.inverseMany === '1');
          return way;
        }

        function drawDiagram(only) {
          const svg = document.getElementById('diagram');
          if (!svg) return;
          const slider = document.getElementById('zoom');
          if (slider) slider.value = zoom;
          const view = svg.viewBox.baseVal;
          svg.setAttribute('width', view.width * zoom / 100);
          svg.setAttribute('height', view.height * zoom / 100);
          const known = new Map();
          const places = name => {
            if (!known.has(name)) known.set(name, boxAt(name));
            return known.get(name);
          };
          const selected = svg.querySelector('.box.selected')?.dataset.box;
          for (const line of svg.querySelectorAll('#lines path')) {
            const ends = [line.dataset.from, line.dataset.to];
            if (only && !ends.includes(only)) continue;
            line.setAttribute('d', wayOf(line, places));
            line.classList.toggle('touched', ends.includes(selected));
          }
        }

        function pointIn(svg, event) {
          const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
          return [point.x, point.y];
        }

        function moved(name, isAll) {
          const svg = document.getElementById('diagram');
          const scale = Number(svg.dataset.scale);
          const names = isAll || svg.dataset.inFile === '0'
            ? [...svg.querySelectorAll('[data-box]')].map(box => box.dataset.box) : [name];
          const positions = {};
          for (const each of names) {
            const place = boxAt(each);
            positions[each] = { x: Math.round(place.x / scale), y: Math.round(place.y / scale) };
          }
          return send({ kind: 'place', positions });
        }

        document.addEventListener('pointerdown', event => {
          const svg = event.target.closest('#diagram');
          const box = event.target.closest('[data-box]');
          if (!svg || !box || event.button !== 0) return;
          const handle = event.target.closest('[data-handle]');
          const go = event.target.closest('[data-at]')?.dataset.at;
          const name = box.dataset.box;
          const start = pointIn(svg, event), place = boxAt(name);
          let isMoving = false, target = null;
          const draft = svg.querySelector('#draft');
          event.preventDefault();
          box.focus({ preventScroll: true });
          svg.setPointerCapture(event.pointerId);

          function move(event) {
            const [x, y] = pointIn(svg, event);
            const [dx, dy] = [x - start[0], y - start[1]];
            if (!isMoving && Math.hypot(dx, dy) < 4) return;
            isMoving = true;
            if (handle) {
              draft.setAttribute('d', `M${start[0]} ${start[1]}L${x} ${y}`);
              target?.classList.remove('target');
              target = document.elementsFromPoint(event.clientX, event.clientY)
                .map(element => element.closest('[data-box]')).find(Boolean) ?? null;
              target?.classList.add('target');
            } else {
              box.classList.add('moving');
              box.setAttribute('transform', `translate(${(place.x + dx).toFixed(1)} ${(place.y + dy).toFixed(1)})`);
              drawDiagram(name);
            }
          }
          function end(event) {
            for (const [kind, body] of [['pointermove', move], ['pointerup', end], ['pointercancel', end]]) {
              svg.removeEventListener(kind, body);
            }
            box.classList.remove('moving');
            target?.classList.remove('target');
            draft.removeAttribute('d');
            if (event.type === 'pointercancel') drawDiagram();
            else if (handle) { if (target) openRelation(name, target.dataset.box); }
            else if (isMoving) moved(name);
            else if (go) select(go);
          }
          svg.addEventListener('pointermove', move);
          svg.addEventListener('pointerup', end);
          svg.addEventListener('pointercancel', end);
        });

        function select(at) {
          const search = new URLSearchParams(query());
          search.set('at', at);
          return navigate('/?' + search);
        }

        let moveTimer;
        document.addEventListener('keydown', event => {
          const box = event.target.closest?.('[data-box]');
          if (!box) return;
          const step = { ArrowLeft: [-15, 0], ArrowRight: [15, 0], ArrowUp: [0, -15], ArrowDown: [0, 15] }[event.key];
          if (event.key === 'Enter' || event.key === ' ') {
            event.preventDefault();
            select(box.dataset.at);
          } else if (step) {
            event.preventDefault();
            const place = boxAt(box.dataset.box);
            box.setAttribute('transform', `translate(${place.x + step[0]} ${place.y + step[1]})`);
            drawDiagram(box.dataset.box);
            clearTimeout(moveTimer);
            moveTimer = setTimeout(() => moved(box.dataset.box), 400);
          }
        });

        """#
}
