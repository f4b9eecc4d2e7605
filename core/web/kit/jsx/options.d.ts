import type { JSX } from './jsx-runtime'

/** What Preact does with every element when it is created. */
export declare const options: { vnode?: ((node: JSX.Element) => void) | undefined }
