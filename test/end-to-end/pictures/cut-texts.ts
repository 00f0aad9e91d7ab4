import type { Page } from "playwright-core";

/**
 * Texts of the page that do not fit: cut by a box around them, wider than a field or a button, or beyond the window.
 * Also reports panes that scroll sideways (except tables and preformatted text), dialog buttons out of sight, numbers
 * separated from their unit by a line break, and chart labels that touch or leave the chart. Text with an ellipsis or
 * a title may be cut.
 */
export function cutTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found = new Set<string>();
    const slackPx = 1.5;
    const nameOf = (element: Element) =>
      `${element.tagName.toLowerCase()}.${element.getAttribute("class") || "-"}`.slice(0, 50);
    const say = (element: Element, words: string, fault: string) =>
      found.add(`${nameOf(element)} “${words.trim().replaceAll(/\s+/g, " ").slice(0, 60)}” ${fault}`);
    const scrolls = (overflow: string) => overflow === "auto" || overflow === "scroll";

    const checkText = (node: Text) => {
      const element = node.parentElement;
      if (!element || element.closest("svg, option, script, style, [aria-hidden=true], .visually-hidden")) return;
      if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return;
      const range = document.createRange();
      range.selectNodeContents(node);
      const box = range.getBoundingClientRect();
      if (box.width === 0) return;
      const words = node.textContent ?? "";
      let isInScroller = false;
      for (let around: Element | null = element; around; around = around.parentElement) {
        const style = getComputedStyle(around);
        const edge = around.getBoundingClientRect();
        const isMeantToEnd = style.textOverflow === "ellipsis" || around.closest("[title]") !== null;
        const isWiderThan = box.right > edge.right + slackPx || box.left < edge.left - slackPx;
        const isClipping = style.overflowX === "hidden" || style.overflowX === "clip";
        if (isClipping && !isInScroller && isWiderThan && !isMeantToEnd)
          say(element, words, `cut by ${nameOf(around)}`);
        if (scrolls(style.overflowX) && isWiderThan) isInScroller = true;
        const isHigher = box.bottom > edge.bottom + 3 && style.overflowY === "hidden";
        if (isHigher && !isInScroller && !isMeantToEnd) say(element, words, `cut below by ${nameOf(around)}`);
        if (scrolls(style.overflowY)) isInScroller = true;
        const isBox = around.matches("button, td, th, label, .tag, .card, section, dialog, [role=dialog]");
        if (isBox && isWiderThan && !isInScroller && !isMeantToEnd)
          say(element, words, `runs out of ${nameOf(around)}`);
        if (style.position === "fixed") break;
      }
      if (!isInScroller && box.right > innerWidth + slackPx) say(element, words, "lies beyond the window");
    };

    const checkUnits = (node: Text) => {
      if (!node.parentElement?.checkVisibility()) return;
      for (const match of (node.textContent ?? "").matchAll(/\d\s(?:v|mm|px|kg|MB|mg\/dL|g\/dL|%)(?![\p{L}\d])/gu)) {
        const range = document.createRange();
        range.setStart(node, match.index);
        range.setEnd(node, match.index + match[0].length);
        const tops = [...range.getClientRects()].map(({ top }) => Math.round(top));
        if (new Set(tops).size > 1) say(node.parentElement, match[0], "is parted from its unit");
      }
    };

    const checkChart = (chart: SVGElement) => {
      const around = chart.getBoundingClientRect();
      const labels = [...chart.querySelectorAll<SVGTextElement>("text")].map((label) => ({
        label,
        box: label.getBoundingClientRect(),
      }));
      for (const [index, { label, box }] of labels.entries()) {
        const words = label.textContent ?? "";
        if (box.left < around.left - slackPx || box.right > around.right + slackPx)
          say(label, words, "leaves its chart");
        const touches = labels
          .slice(index + 1)
          .some(
            ({ box: other }) =>
              box.left < other.right &&
              other.left < box.right &&
              box.top < other.bottom - 3 &&
              other.top < box.bottom - 3,
          );
        if (touches) say(label, words, "touches another label of its chart");
      }
    };

    const widthOf = (words: string, style: CSSStyleDeclaration) => {
      const context = document.createElement("canvas").getContext("2d")!;
      context.font = style.font;
      return context.measureText(words).width;
    };
    const checkField = (field: HTMLInputElement | HTMLSelectElement) => {
      if (!field.checkVisibility()) return;
      const isSelect = field instanceof HTMLSelectElement;
      if (!isSelect && ["checkbox", "radio", "range", "file", "date", "color"].includes(field.type)) return;
      const words = isSelect ? (field.selectedOptions[0]?.textContent ?? "") : field.value || field.placeholder;
      const style = getComputedStyle(field);
      const room = field.clientWidth - parseFloat(style.paddingInlineStart) - parseFloat(style.paddingInlineEnd);
      if (room > 0 && widthOf(words, style) > room + slackPx && !field.title && (isSelect || !field.value))
        say(field, words, "is wider than its field");
    };

    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      if (!walker.currentNode.textContent?.trim()) continue;
      checkText(walker.currentNode as Text);
      checkUnits(walker.currentNode as Text);
    }
    document.querySelectorAll<SVGElement>(".chart-area > svg").forEach(checkChart);
    document.querySelectorAll<HTMLInputElement | HTMLSelectElement>("input, select").forEach(checkField);
    for (const element of document.querySelectorAll("body *")) {
      if (element.scrollWidth <= element.clientWidth + slackPx || !element.checkVisibility()) continue;
      if (!scrolls(getComputedStyle(element).overflowX) || element.matches("pre, .table-scroll")) continue;
      if (element.clientWidth > 0 && !(element instanceof HTMLTextAreaElement))
        say(element, "", `scrolls sideways by ${element.scrollWidth - element.clientWidth} px`);
    }
    for (const end of document.querySelectorAll("[role=dialog] .button.primary, [role=alertdialog] .dialog-foot *")) {
      const [box, around] = [end.getBoundingClientRect(), end.closest(".dialog")!.getBoundingClientRect()];
      if (box.bottom > Math.min(around.bottom, innerHeight) || box.top < around.top)
        say(end, end.textContent ?? "", "is out of sight");
    }
    if (document.documentElement.scrollWidth > innerWidth) say(document.body, "", "scrolls sideways");
    return [...found];
  });
}
