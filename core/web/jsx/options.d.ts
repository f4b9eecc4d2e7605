import type { JSX } from './jsx-runtime'

/** What Preact does with every element when it is created. */
export const options: { vnode?: ((node: JSX.Element) => void) | undefined }
