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
            const [x1, y1] = [from.x + boxWidth / 2, from.y], [x2, y2] = [to.x + boxWidth / 2, to.y + to.height];
            const isAbove = y2 < y1;
            const [top, bottom] = isAbove ? [y2, y1] : [to.y, from.y + from.height];
            const end = isAbove ? y2 + 9 : to.y - 9;
            const middle = (top + bottom) / 2;
            return `M${x2 - 6} ${end}L${x2} ${isAbove ? y2 : to.y}L${x2 + 6} ${end}Z`
              + `M${x2} ${end}C${x2} ${middle} ${x1} ${middle} ${x1} ${isAbove ? y1 : from.y + from.height}`;
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
          const go = event.target.closest('[data-go]')?.dataset.go;
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
            else if (go) navigate(go);
          }
          svg.addEventListener('pointermove', move);
          svg.addEventListener('pointerup', end);
          svg.addEventListener('pointercancel', end);
        });

        let moveTimer;
        document.addEventListener('keydown', event => {
          const box = event.target.closest?.('[data-box]');
          if (!box) return;
          const step = { ArrowLeft: [-15, 0], ArrowRight: [15, 0], ArrowUp: [0, -15], ArrowDown: [0, 15] }[event.key];
          if (event.key === 'Enter' || event.key === ' ') {
            event.preventDefault();
            navigate(box.dataset.go);
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
