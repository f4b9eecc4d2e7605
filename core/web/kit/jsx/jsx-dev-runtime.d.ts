export type { JSX } from './jsx-runtime'
