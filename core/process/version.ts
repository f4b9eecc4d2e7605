/** The version of the interface and of core, which plugins name in `renown`. */
export const version = '1.0.0'
