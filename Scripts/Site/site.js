// Copy buttons on listings: of the site's own pages, and of docc's, which come and go as one reads.
(() => {
    "use strict";

    const write = async (text) => {
        if (navigator.clipboard && window.isSecureContext) {
            await navigator.clipboard.writeText(text);
            return;
        }
        // A page without TLS has no clipboard.
        const area = document.createElement("textarea");
        area.value = text;
        document.body.append(area);
        area.select();
        const isCopied = document.execCommand("copy");
        area.remove();
        if (!isCopied) throw new Error("The browser doesn't copy.");
    };

    const text = (listing) => {
        const lines = listing.querySelectorAll(".code-line");
        if (lines.length > 0) return Array.from(lines, (line) => line.textContent).join("\n");
        return listing.querySelector("pre").textContent.replace(/\n$/, "");
    };

    const add = (listing) => {
        if (listing.querySelector(":scope > .copy") || !listing.querySelector("pre")) return;
        const button = document.createElement("button");
        button.type = "button";
        button.className = "copy";
        button.textContent = "Copy";
        button.addEventListener("click", async () => {
            try {
                await write(text(listing));
                button.textContent = "Copied";
            } catch {
                button.textContent = "Not copied";
            }
            setTimeout(() => { button.textContent = "Copy"; }, 1500);
        });
        listing.append(button);
    };

    const addAll = () => {
        document.querySelectorAll(".listing, .code-listing").forEach(add);
        // A drawing may be wider than the page: keys move it, too.
        document.querySelectorAll("#app p:not(.drawing) picture img").forEach((image) => {
            const paragraph = image.closest("p");
            paragraph.classList.add("drawing");
            paragraph.tabIndex = 0;
        });
        document.querySelectorAll("#app .table-wrapper:not([tabindex])").forEach((table) => {
            if (table.scrollWidth > table.clientWidth) table.tabIndex = 0;
        });
        // A button of docc that has no name.
        document.querySelectorAll("button.toggle:not([aria-label])")
            .forEach((button) => button.setAttribute("aria-label", "Pages above this one"));
    };
    addAll();
    const app = document.getElementById("app");
    if (app) new MutationObserver(addAll).observe(app, { childList: true, subtree: true });
})();
