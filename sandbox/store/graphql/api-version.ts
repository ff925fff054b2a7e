/** The only version of the Admin API that the stand-in serves. */
export const apiVersion = '2026-10';
