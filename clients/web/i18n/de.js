/** The words of the game in German. */

/** @type {import("../i18n.js").Words} */
export const de = {};
