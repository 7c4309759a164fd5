/**
 * The parts of lean-qr that draw QR codes. script/page/bundle bundles qr.js from this file, which
 * also gives its types.
 */

export { correction, generate } from "lean-qr";
export { toSvg } from "lean-qr/extras/svg";
