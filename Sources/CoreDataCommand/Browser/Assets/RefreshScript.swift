// SPDX-License-Identifier: Apache-2.0

/// The script that shows what another process has written. It asks for the mark of the store while the page is seen.
enum RefreshScript {
    static let text = """
        let isTouched = false;

        /// Shows the present page. A form that the user has begun to fill in stays, with a line above it.
        async function showChanges(mark) {
          // The side store has its mark behind a plus sign.
          const isOfStore = mark.split('+')[0] !== document.body.dataset.mark.split('+')[0];
          document.body.dataset.mark = mark;
          const main = document.querySelector('main');
          const hasForm = isTouched || main.contains(document.activeElement?.closest('input, textarea, select'));
          if (hasForm || document.querySelector('.problems[role=alert], dialog[open]')) {
            if (isOfStore) document.getElementById('changed').hidden = false;
            return;
          }
          const answer = await fetch(location.href);
          if (!answer.ok) { document.getElementById('changed').hidden = false; return; }
          const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
          const fresh = page.querySelector('main');
          if (isTouched || !fresh) return;
          // An engine that says again that it syncs changes its side store, and mostly nothing on the page.
          if (fresh.isEqualNode(main)) { document.body.dataset.mark = page.body.dataset.mark; return; }
          const scroll = document.querySelector('.scroll')?.scrollLeft ?? 0;
          const open = [...main.querySelectorAll('details')].map(panel => panel.open);
          main.replaceWith(fresh);
          [...fresh.querySelectorAll('details')].forEach((panel, at) => { panel.open = open[at] || panel.open; });
          if (fresh.querySelector('.scroll')) fresh.querySelector('.scroll').scrollLeft = scroll;
          document.body.dataset.mark = page.body.dataset.mark;
          setUp();
        }

        async function watchStore() {
          try {
            if (!document.hidden) {
              const answer = await fetch(document.body.dataset.watch);
              const mark = await answer.text();
              if (answer.ok && mark !== document.body.dataset.mark) await showChanges(mark);
            }
          } catch { /* The command has ended, or is busy. */ }
          setTimeout(watchStore, 1500);
        }

        """
}
