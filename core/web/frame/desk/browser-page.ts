/** The parts of the DOM that the scripts of lists use. The types of the DOM library conflict with the server's. */
export interface ListElement {
  readonly dataset: Record<string, string | undefined>
  readonly textContent: string
  readonly outerHTML: string
  readonly tagName: string
  readonly type: string
  readonly name: string
  readonly href: string
  readonly target: string
  readonly pathname: string
  readonly origin: string
  readonly action: string
  readonly method: string
  readonly enctype: string
  readonly formAction: string
  readonly defaultValue: string
  readonly elements: ArrayLike<ListElement>
  readonly children: ArrayLike<ListElement>
  readonly form: ListElement | null
  readonly parentElement: ListElement | null
  readonly nextElementSibling: ListElement | null
  readonly offsetParent: ListElement | null
  className: string
  id: string
  value: string
  checked: boolean
  closest(selector: string): ListElement | null
  contains(other: ListElement | null): boolean
  matches(selector: string): boolean
  querySelector(selector: string): ListElement | null
  querySelectorAll(selector: string): Iterable<ListElement>
  getAttribute(name: string): string | null
  hasAttribute(name: string): boolean
  setAttribute(name: string, value: string): void
  removeAttribute(name: string): void
  append(...nodes: ListElement[]): void
  prepend(...nodes: ListElement[]): void
  after(...nodes: (ListElement | string)[]): void
  insertBefore(node: ListElement, before: ListElement | null): void
  replaceWith(node: ListElement): void
  replaceChildren(...nodes: (ListElement | string)[]): void
  remove(): void
  focus(how: { preventScroll: boolean }): void
  click(): void
  submit(): void
  requestSubmit(button: ListElement): void
  scrollIntoView(how: { block: 'nearest' }): void
  addEventListener(type: string, listener: (event: ListEvent) => void): void
}

/** A click, a key or a sent form. */
export interface ListEvent {
  readonly target: ListElement
  readonly submitter: ListElement | null
  readonly detail: ListElement | null
  readonly defaultPrevented: boolean
  readonly isComposing: boolean
  readonly key: string
  readonly button: number
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly shiftKey: boolean
  preventDefault(): void
}

/** The page that the browser shows, or one that it received. */
export interface ListPage extends ListElement {
  title: string
  readonly body: ListElement
  readonly documentElement: ListElement
  readonly activeElement: ListElement | null
  createElement(tag: string): ListElement
  dispatchEvent(event: unknown): void
}
