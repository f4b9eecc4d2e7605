import type { Children, JSX } from './jsx-runtime'

type Undo = () => void
// biome-ignore lint/suspicious/noConfusingVoidType: an effect may end without a word
type Effect = () => Undo | void
type Inputs = readonly unknown[]

/** A mutable value that survives renders. As `ref` of an element it holds that element. */
export interface Ref<T> {
  current: T
}

export function useState<T>(initial: T | (() => T)): [T, (next: T | ((before: T) => T)) => void]
export function useReducer<T, A>(reducer: (before: T, action: A) => T, initial: T): [T, (action: A) => void]
export function useEffect(effect: Effect, inputs?: Inputs): void
export function useLayoutEffect(effect: Effect, inputs?: Inputs): void
export function useRef<T>(initial: T): Ref<T>
export function useMemo<T>(make: () => T, inputs: Inputs): T
export function useCallback<T>(callback: T, inputs: Inputs): T
export function useId(): string

/** A value that a component passes to all components inside it. */
export interface Context<T> {
  Provider(props: { readonly value: T; readonly children?: Children }): JSX.Element
}
export function createContext<T>(initial: T): Context<T>
export function useContext<T>(context: Context<T>): T

/** Hydrates what the server rendered into an element. */
export function hydrate(tree: JSX.Element, into: object): void

/** Renders a tree into an empty element. */
export function render(tree: JSX.Element, into: object): void
