// Searches the index that Scripts/docs-site.py makes: sections of guides, and symbols.
(() => {
    "use strict";

    const most = 60;
    const field = document.getElementById("q");
    const status = document.getElementById("status");
    const results = document.getElementById("results");
    let entries = null;

    const words = (text) => text.toLowerCase().split(/[^\p{L}\p{N}_@]+/u).filter((word) => word.length > 0);

    // How well an entry fits: each word must be somewhere in it. 0 if it doesn't.
    const score = (entry, wanted) => {
        let sum = 0;
        for (const word of wanted) {
            let best = 0;
            for (const [text, weight] of [[entry.lowerTitle, 12], [entry.lowerHeading, 8], [entry.lowerText, 2]]) {
                const at = text.indexOf(word);
                if (at < 0) continue;
                const isStart = at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1]);
                const isWhole = isStart && !/[\p{L}\p{N}]/u.test(text[at + word.length] ?? " ");
                best = Math.max(best, weight * (isWhole ? 3 : isStart ? 2 : 1));
            }
            if (best === 0) return 0;
            sum += best;
        }
        // A symbol of exactly this name comes first, then guides before symbols.
        if (entry.kind === "guide") return sum + 15;
        return entry.lowerTitle === wanted.join(" ") ? sum + 100 : sum;
    };

    // The part of a text around the first word that is found.
    const excerpt = (entry, wanted) => {
        const found = wanted.map((word) => entry.lowerText.indexOf(word)).filter((at) => at >= 0);
        const first = found.length > 0 ? Math.min(...found) : 0;
        const from = first < 80 ? 0 : entry.text.indexOf(" ", first - 70) + 1;
        const part = entry.text.slice(from, from + 220);
        return (from > 0 ? "… " : "") + part + (from + 220 < entry.text.length ? " …" : "");
    };

    // Appends a text with its found words marked. The text is never read as HTML.
    const appendMarked = (element, text, wanted) => {
        const lower = text.toLowerCase();
        let at = 0;
        while (at < text.length) {
            let next = -1, length = 0;
            for (const word of wanted) {
                const found = lower.indexOf(word, at);
                if (found >= 0 && (next < 0 || found < next || (found === next && word.length > length))) {
                    [next, length] = [found, word.length];
                }
            }
            if (next < 0) break;
            element.append(text.slice(at, next));
            const mark = document.createElement("mark");
            mark.textContent = text.slice(next, next + length);
            element.append(mark);
            at = next + length;
        }
        element.append(text.slice(at));
    };

    const row = (entry, wanted) => {
        const item = document.createElement("li");
        const link = document.createElement("a");
        link.href = "../" + entry.url;
        appendMarked(link, entry.heading ? `${entry.title}: ${entry.heading}` : entry.title, wanted);
        const where = document.createElement("span");
        where.className = "where";
        where.textContent = entry.kind;
        const text = document.createElement("p");
        appendMarked(text, excerpt(entry, wanted), wanted);
        item.append(link, where, text);
        return item;
    };

    const show = () => {
        const wanted = words(field.value);
        results.replaceChildren();
        if (wanted.length === 0 || entries === null) {
            status.textContent = entries === null ? "Reading the index …" : "Type a word.";
            return;
        }
        const found = [];
        for (const entry of entries) {
            const value = score(entry, wanted);
            if (value > 0) found.push([value, entry]);
        }
        found.sort((one, other) => other[0] - one[0]);
        const count = found.length;
        const shown = count > most ? `the best ${most} are shown` : "";
        status.textContent = count === 0
            ? "Nothing has all of these words."
            : `${count} ${count === 1 ? "place" : "places"}${shown ? "; " + shown : ""}.`;
        results.append(...found.slice(0, most).map(([, entry]) => row(entry, wanted)));
    };

    const remember = () => {
        const url = new URL(location.href);
        if (field.value) url.searchParams.set("q", field.value);
        else url.searchParams.delete("q");
        history.replaceState(null, "", url);
    };

    let timer = 0;
    field.addEventListener("input", () => {
        clearTimeout(timer);
        timer = setTimeout(() => { remember(); show(); }, 80);
    });
    field.form.addEventListener("submit", (event) => {
        event.preventDefault();
        remember();
        show();
    });
    field.value = new URL(location.href).searchParams.get("q") ?? "";
    show();
    fetch("../site/search-index.json")
        .then((response) => response.ok ? response.json() : Promise.reject(new Error(response.statusText)))
        .then((index) => {
            entries = index.map(([kind, url, title, heading, text]) => ({
                kind, url, title, heading, text, lowerTitle: title.toLowerCase(), lowerHeading: heading.toLowerCase(),
                lowerText: text.toLowerCase(),
            }));
            show();
        })
        .catch(() => { status.textContent = "The index can’t be read. Load the page again."; });
})();
