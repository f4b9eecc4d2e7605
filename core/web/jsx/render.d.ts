import type { JSX } from './jsx-runtime'

/** HTML of a tree, every text in it escaped. */
export function renderToString(tree: JSX.Element): string
