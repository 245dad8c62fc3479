// SPDX-License-Identifier: Apache-2.0

/// The style sheet of the pages, for light and dark, narrow and wide windows.
enum PageStyle {
    static let text = """
        :root {
          color-scheme: light dark;
          --back: #ffffff; --panel: #f4f6f9; --text: #1b2430; --soft: #566272; --line: #d7dde5; --link: #0b57b0;
          --accent: #0b57b0; --on-accent: #ffffff; --warn: #9a2a12; --warn-back: #fdf0ec; --row: #f8fafc;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --back: #14181e; --panel: #1d232c; --text: #e6eaf0; --soft: #a3afbe; --line: #343d4a; --link: #8ab8ff;
            --accent: #8ab8ff; --on-accent: #10151c; --warn: #ffb59f; --warn-back: #3a211b; --row: #191e26;
          }
        }
        * { box-sizing: border-box; }
        body { margin: 0; background: var(--back); color: var(--text);
          font: 15px/1.5 system-ui, -apple-system, "Segoe UI", "Liberation Sans", "DejaVu Sans", sans-serif; }
        a { color: var(--link); text-decoration-thickness: 1px; text-underline-offset: 2px; }
        a:hover { text-decoration-thickness: 2px; }
        :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
        .skip { position: absolute; left: -999px; }
        .skip:focus { left: 8px; top: 8px; background: var(--back); padding: 8px; }
        header { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 24px; padding: 10px 24px;
          background: var(--panel); border-bottom: 1px solid var(--line); }
        header p { margin: 0; } .mode form { display: inline; margin-left: 12px; }
        .store { font-weight: 650; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; max-width: 40ch; }
        header nav { display: flex; gap: 4px; }
        header nav a { padding: 4px 10px; border-radius: 6px; text-decoration: none; }
        header nav a:hover { background: var(--line); }
        header nav a[aria-current] { background: var(--accent); color: var(--on-accent); }
        .mode { margin-left: auto !important; color: var(--soft); }
        main { padding: 20px 24px 32px; }
        h1 { font-size: 26px; line-height: 1.25; margin: 0 0 12px; overflow-wrap: anywhere; }
        h2 { font-size: 18px; margin: 28px 0 8px; } h3 { font-size: 15px; margin: 0; }
        .crumb { margin: 0 0 4px; color: var(--soft); }
        .hint, .type, .nil { color: var(--soft); font-size: 13px; } .nil { font-style: italic; }
        .path, .hint, li { overflow-wrap: anywhere; } main > .panel { max-width: 860px; }
        .badge { font-size: 12px; padding: 1px 7px; border: 1px solid var(--line); border-radius: 9px;
          color: var(--soft); white-space: nowrap; }
        .badge.refused { color: var(--warn); border-color: var(--warn); }
        .sync { border: 1px solid var(--line); border-radius: 8px; padding: 8px 16px; overflow-wrap: anywhere; }
        .sync ul { margin: 4px 0; padding-left: 20px; } .sync p { margin: 0; }
        .scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 8px; }
        .scroll > table { border: 0; } .short { max-width: 860px; }
        table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
        th, td { text-align: left; vertical-align: top; padding: 6px 12px; border-bottom: 1px solid var(--line); }
        tbody tr:last-child > * { border-bottom: 0; }
        thead th { background: var(--panel); font-size: 13px; white-space: nowrap; }
        thead a { color: inherit; text-decoration: underline dotted; } thead a:hover { text-decoration: underline; }
        .also { display: inline-block; min-width: 20px; text-align: center; color: var(--link) !important; }
        tbody th { font-weight: 500; white-space: nowrap; }
        tbody tr:nth-child(even) { background: var(--row); }
        .number { text-align: right; }
        .grid td { max-width: 44ch; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
        .grid th:first-child { width: 1%; }
        .grid tr > :first-child { position: sticky; left: 0; background: var(--back); }
        .grid tbody tr:nth-child(even) > :first-child { background: var(--row); }
        .grid thead tr > :first-child { background: var(--panel); }
        .properties th { width: 1%; } .properties .value { overflow-wrap: anywhere; min-width: 24ch; }
        .properties .type { width: 1%; white-space: nowrap; }
        form .properties th, form .properties .type { vertical-align: middle; }
        .text { white-space: pre-wrap; } img { max-width: 100%; max-height: 320px; border-radius: 6px; }
        form.filter { margin: 0 0 12px; } form.filter > label { font-weight: 600; font-size: 13px; }
        .field { display: flex; gap: 8px; max-width: 900px; }
        input:not([type=checkbox]), textarea, select, button, .button {
          font: inherit; color: inherit; padding: 6px 10px;
          border: 1px solid var(--soft); border-radius: 6px; background: var(--back); }
        .field input { flex: 1; min-width: 0;
          font-family: ui-monospace, "Liberation Mono", "DejaVu Sans Mono", monospace; }
        .value input:not([type=checkbox]), textarea { width: 100%; max-width: 60ch; }
        textarea { vertical-align: middle; }
        input[aria-invalid=true] { border-color: var(--warn); }
        input::placeholder { color: var(--soft); opacity: 1; }
        button, .button { background: var(--panel); cursor: pointer; text-decoration: none; display: inline-block; }
        .field button, button.main, .button[aria-current] { background: var(--accent); color: var(--on-accent);
          border-color: var(--accent); }
        .danger { color: var(--warn); border-color: var(--warn); }
        .message { color: var(--warn); } p.message { margin: 4px 0; min-height: 1.5em; overflow-wrap: anywhere; }
        p.message:empty { margin: 0; min-height: 0; }
        .problems { background: var(--warn-back); border-radius: 8px; padding: 8px 16px; overflow-wrap: anywhere; }
        .problems p { margin: 0; } .problems ul { margin: 4px 0; }
        .panels { display: flex; flex-wrap: wrap; gap: 8px; margin-bottom: 8px; }
        .panel { border: 1px solid var(--line); border-radius: 8px; padding: 6px 12px; margin-top: 8px;
          max-width: 100%; }
        .panels .panel { margin-top: 0; }
        summary { cursor: pointer; font-weight: 600; font-size: 14px; }
        fieldset { border: 0; padding: 8px 0; margin: 0; display: flex; flex-wrap: wrap; gap: 4px 16px; }
        .hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
        .template { padding: 8px 0; } .examples { margin: 8px 0; padding-left: 20px; columns: 2 420px; }
        .examples li { margin-bottom: 4px; break-inside: avoid; } .summary { margin: 8px 0; }
        .pager { display: flex; flex-wrap: wrap; gap: 8px; margin: 16px 0; }
        .relationship { border: 1px solid var(--line); border-radius: 8px; padding: 8px 16px; margin-bottom: 8px; }
        .relationship p { margin: 2px 0; } .relationship ul, .relationship ol { margin: 4px 0; padding-left: 28px;
          columns: 3 240px; }
        .relationship .more { list-style: none; }
        dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 16px; }
        dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
        .diagram { padding: 8px; } .diagram svg { display: block; margin-top: -28px; }
        .diagram svg > text { display: none; } .diagram svg > rect { fill: none; }
        .fit svg { max-width: 100%; height: auto; margin-top: 0; }
        @media (prefers-color-scheme: dark) { .diagram svg { filter: invert(.91) hue-rotate(180deg); } }
        .diagram a:hover .box { stroke: #0b57b0; stroke-width: 4; }
        .timeline { list-style: none; padding-left: 16px; border-left: 3px solid var(--line); }
        .timeline > li { margin-bottom: 12px; } .timeline p { margin: 0; }
        .timeline ul { margin: 2px 0; padding-left: 20px; columns: 2 320px; }
        .timeline li li { break-inside: avoid; }
        footer { padding: 12px 24px 24px; border-top: 1px solid var(--line); color: var(--soft); }
        footer h2 { font-size: 13px; margin: 0 0 4px; }
        pre { margin: 0; padding: 8px 12px; background: var(--panel); color: var(--text); border-radius: 6px;
          overflow-x: auto; }
        code, pre { font: 13px/1.5 ui-monospace, "Liberation Mono", "DejaVu Sans Mono", monospace; }
        .find { margin: 0; } .find input { width: 22ch; padding: 4px 10px; }
        .done { display: inline-block; margin: 0 0 12px; padding: 4px 12px; border: 1px solid var(--line);
          border-radius: 6px; background: var(--panel); }
        .changed { margin: 0; padding: 8px 24px; background: var(--panel); border-bottom: 1px solid var(--line); }
        button:disabled { color: var(--soft); background: none; border: 1px dashed var(--line); cursor: default; }
        .selection > p { margin: 8px 0; } p.pager { margin: 0 0 12px; }
        .picker .chosen { columns: auto; } .picker ul.chosen { list-style: none; padding-left: 0; }
        .picker .chosen li { padding: 2px 0; } .move { padding: 0 8px; line-height: 1.4; }
        .picker li[draggable] { cursor: grab; }
        .search { position: relative; max-width: 60ch; } .search input { width: 100%; }
        .search [role=listbox] { position: absolute; z-index: 2; left: 0; right: 0; top: 100%; margin: 2px 0 0;
          padding: 4px; columns: auto; list-style: none; max-height: 260px; overflow-y: auto; background: var(--back);
          border: 1px solid var(--soft); border-radius: 6px; }
        .search [hidden] { display: none; }
        [role=option] { padding: 4px 8px; border-radius: 4px; cursor: pointer; }
        [role=option][aria-selected=true] { background: var(--panel); outline: 2px solid var(--accent); }
        .found { padding-left: 20px; } .found li { overflow-wrap: anywhere; }
        @media (max-width: 640px) {
          header, main, footer { padding-left: 14px; padding-right: 14px; }
          .wide { display: none; } header nav { order: 1; width: 100%; } .store { max-width: 24ch; }
          .properties th { font-weight: 650; }
          h1 { font-size: 22px; } th, td { padding: 6px 8px; }
          dl { grid-template-columns: 1fr; } dd { margin-bottom: 6px; }
          .properties, .properties tbody, .properties tr, .properties th, .properties td {
            display: block; width: auto !important; }
          .properties tr { border-bottom: 1px solid var(--line); padding: 6px 0; }
          .properties th, .properties td { border: 0; padding: 1px 10px; }
        }

        """
}
