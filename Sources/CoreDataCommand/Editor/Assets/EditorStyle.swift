// SPDX-License-Identifier: Apache-2.0

/// The style sheet of the model editor. It follows the style sheet of the browser.
enum EditorStyle {
    static let text = """
        .editor { height: 100vh; display: flex; flex-direction: column; }
        .editor .bar { gap: 6px 20px; padding: 8px 16px; }
        .editor .bar .mode { display: flex; flex-wrap: wrap; align-items: center; gap: 6px; }
        .bar select { padding: 4px 8px; max-width: 28ch; }
        .state { font-size: 13px; margin-right: 6px; } .state.changed { color: var(--text); font-weight: 650; }
        .state.changed::before { content: "●"; color: var(--accent); margin-right: 5px; }
        .editor button, .editor .button { padding: 3px 10px; }
        .work.view-versions { grid-template-columns: 236px minmax(0, 1fr); }
        .view-versions #inspector { display: none; }
        .bar .count { font-size: 12px; padding: 0 6px; border-radius: 9px; border: 1px solid currentColor; }
        #banner .problems { margin: 8px 16px; }
        .work { flex: 1; min-height: 0; display: grid; grid-template-columns: 236px minmax(0, 1fr) 336px; }
        .work > * { overflow: auto; min-height: 0; position: relative; }
        .view-versions .short { max-height: 40vh; overflow: auto; }
        #sidebar { border-right: 1px solid var(--line); background: var(--panel); padding: 10px 0 20px; }
        #sidebar .filter { display: block; padding: 0 12px 8px; } #sidebar input { width: 100%; }
        #sidebar section { position: relative; } #sidebar h2 { font-size: 12px; margin: 12px 12px 2px;
          color: var(--soft); text-transform: uppercase; letter-spacing: .04em; }
        #sidebar ul { list-style: none; margin: 0; padding: 0; }
        #sidebar li a { display: flex; gap: 6px; align-items: baseline; padding: 3px 12px; color: var(--text);
          text-decoration: none; overflow-wrap: anywhere; }
        #sidebar li a:hover { background: var(--line); }
        #sidebar li a[aria-current] { background: var(--accent); color: var(--on-accent); }
        #sidebar li a[aria-current] .type, #sidebar li a[aria-current] .mark { color: inherit; }
        #sidebar .hint { padding: 0 12px; }
        .add { position: absolute; right: 10px; top: -5px; padding: 0 8px; line-height: 24px; border: 0;
          background: none; font-size: 18px; color: var(--link); }
        .add:hover { background: var(--line); }
        .mark { font-size: 12px; margin-left: 4px; } .mark.error, .count.error { color: var(--warn); }
        .mark.warning, .count.warning { color: var(--caution); }
        .bar nav a[aria-current] .count { color: inherit; }
        :root { --caution: #7a5200; --box: #ffffff; --head: #dfe8f5; --stroke: #5b6b80; --string: #5b6673; }
        @media (prefers-color-scheme: dark) {
          :root { --caution: #f0c36d; --box: #1d232c; --head: #2b3a52; --stroke: #8b9bb0; --string: #a3afbe; } }
        .editor #main { padding: 16px 20px 32px; outline-offset: -3px; }
        .title { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: 4px 16px; }
        .title h1 { margin: 0 0 4px; }
        .actions { display: flex; flex-wrap: wrap; gap: 8px; margin: 8px 0; }
        .properties-of h2 { margin: 20px 0 6px; font-size: 16px; }
        .properties-of td select { padding: 1px 4px; border-color: transparent; background: none; }
        .properties-of td select:hover, .properties-of td select:focus { border-color: var(--soft);
          background: var(--back); }
        .properties-of th, .properties-of td { padding: 4px 10px; vertical-align: middle; }
        tr.selected > * { background: var(--head); }
        .adder { display: flex; flex-wrap: wrap; gap: 8px; margin: 8px 0; align-items: center; }
        .adder .message { flex-basis: 100%; margin: 0; }
        .empty { text-align: center; padding: 10vh 0; }
        #inspector { border-left: 1px solid var(--line); padding: 14px 16px 32px; }
        #inspector h2 { margin: 0 0 8px; font-size: 16px; }
        #inspector fieldset { display: block; padding: 10px 0 4px; border-top: 1px solid var(--line); margin-top: 8px; }
        #inspector legend { font-size: 12px; font-weight: 650; color: var(--soft); padding: 0 8px 0 0; }
        .setting { margin-bottom: 8px; } .setting > label:not(.check) { display: block; font-size: 13px;
          color: var(--soft); }
        .setting input:not([type=checkbox]), .setting select, .setting textarea { width: 100%; padding: 4px 8px;
          max-width: none; }
        .setting .hint { display: block; } .setting p.message { font-size: 13px; margin: 2px 0 0; }
        .setting textarea, #text { font: 13px/1.5 ui-monospace, "Liberation Mono", "DejaVu Sans Mono", monospace; }
        .check { display: flex; gap: 6px; align-items: baseline; }
        .pair { display: flex; gap: 6px; margin-bottom: 6px; } .pair > * { min-width: 0; flex: 1; }
        .pair input:not([type=checkbox]) { padding: 4px 8px; width: 100%; }
        .element { display: grid; grid-template-columns: 1fr 1fr; gap: 4px; padding: 6px 0;
          border-bottom: 1px dotted var(--line); }
        .element select, .element input { min-width: 0; width: 100%; padding: 3px 6px; }
        .element select:first-child { grid-column: 1 / 3; }
        .element [name^=expression] { display: none; }
        .element:has([name=property] option[value="()"]:checked) [name^=expression] { display: block; }
        .members .check { padding: 1px 0; }
        [aria-invalid=true] { border-color: var(--warn) !important; }
        #note { position: fixed; left: 50%; bottom: 20px; transform: translateX(-50%); margin: 0; padding: 8px 16px;
          background: var(--text); color: var(--back); border-radius: 8px; max-width: min(90vw, 720px); z-index: 3; }
        #note:empty { display: none; } #note.error { background: var(--warn); color: var(--back); }
        dialog { border: 1px solid var(--line); border-radius: 10px; background: var(--back); color: var(--text);
          padding: 16px 20px; max-width: min(94vw, 640px); } dialog::backdrop { background: rgb(0 0 0 / .4); }
        dialog h2 { margin: 0 0 8px; } dialog .pair { flex-wrap: wrap; gap: 20px; }
        dialog fieldset { display: block; flex: 1 1 220px; } dialog legend { font-weight: 650; }
        dialog input:not([type=checkbox]), dialog select { width: 100%; display: block; margin-bottom: 8px; }
        dialog .pair > fieldset { padding: 0; }
        .tools { display: flex; flex-wrap: wrap; gap: 4px 16px; align-items: center; margin-bottom: 8px; }
        .tools p { margin: 0; flex: 1 1 300px; } .tools label { display: flex; gap: 6px; align-items: center;
          font-size: 13px; } .tools input { padding: 0; width: 110px; }
        .work.view-diagram #main { display: flex; flex-direction: column; }
        .canvas { flex: 1; overflow: auto; border: 1px solid var(--line); border-radius: 8px; min-height: 50vh; }
        #diagram { display: block; user-select: none; touch-action: none; }
        #diagram text { font: 12px system-ui, "Liberation Sans", "DejaVu Sans", sans-serif; fill: var(--text); }
        #diagram .name { font-weight: 650; font-size: 13px; }
        #diagram .type { fill: var(--string); font-size: 11px; text-anchor: end; }
        .box { cursor: grab; } .box.moving { cursor: grabbing; } .back { fill: var(--box); stroke: var(--stroke); }
        .head { fill: var(--head); stroke: var(--stroke); } .box.abstract .name { font-style: italic; }
        .box.abstract .back { stroke-dasharray: 5 3; } .box:focus, .box:focus-visible { outline: none; }
        .box:focus-visible .back, .box.selected .back { stroke: var(--accent); stroke-width: 2.5; }
        .box.target .back { stroke: var(--accent); stroke-width: 4; }
        .hit { fill: transparent; } .row:hover .hit { fill: var(--row); } .row { cursor: pointer; }
        .row.selected .hit { fill: var(--head); } .row.relationship text:first-of-type { fill: var(--link) !important; }
        .handle { cursor: crosshair; } .handle circle { fill: var(--box); stroke: var(--accent); }
        .handle path { stroke: var(--accent); fill: none; } .handle:hover circle { fill: var(--accent); }
        .handle:hover path { stroke: var(--on-accent); }
        .line { fill: none; stroke: var(--stroke); stroke-width: 1.3; } .line.inherits { stroke-dasharray: 2 3; }
        .line.touched { stroke: var(--accent); stroke-width: 2.2; } .draft { stroke: var(--accent);
          stroke-width: 2; stroke-dasharray: 6 4; }
        .text-notation .head { position: sticky; top: 0; z-index: 1; background: var(--back); padding-bottom: 4px; }
        .numbered mark { background: var(--warn); color: var(--back); border-radius: 3px; padding: 0 3px; }
        .numbered { display: flex; border: 1px solid var(--line); border-radius: 8px; overflow: auto; }
        .numbered pre { flex: none; text-align: right; color: var(--soft); border-radius: 0; padding: 8px;
          min-width: 44px; overflow: visible; }
        #text { flex: 1; border: 0; border-radius: 0; max-width: none; padding: 8px; resize: none; white-space: pre;
          overflow-x: auto; overflow-y: hidden; outline-offset: -3px; min-width: 0; }
        .differences { padding-left: 20px; }
        @media (max-width: 1100px) { .work { grid-template-columns: 200px minmax(0, 1fr) 280px; } }
        @media (max-width: 820px) {
          .editor { height: auto; min-height: 100vh; } .work { display: block; } .work > * { overflow: visible; }
          #sidebar { border: 0; border-bottom: 1px solid var(--line); }
          #sidebar .lists { max-height: 30vh; overflow: auto; }
          #inspector { border: 0; border-top: 1px solid var(--line); }
          .editor .bar nav { order: 1; width: 100%; flex-wrap: wrap; } .editor .bar nav a { padding: 4px 8px; }
          .editor .bar .mode { margin-left: 0 !important; }
          .canvas { height: 70vh; }
        }

        """
}
