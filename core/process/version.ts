/** The version of the interface and of the core that plugins name in `renown`. */
export const version = '1.0.0'
