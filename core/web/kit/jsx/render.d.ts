import type { JSX } from './jsx-runtime'

/** Returns the HTML of a tree, with all text escaped. */
export function renderToString(tree: JSX.Element): string
