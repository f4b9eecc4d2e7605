/**
 * The parts of a browser that pages use. The types of the DOM library conflict with the server's. On the server
 * `browser` is empty, so use it only in effects and handlers.
 */
export const browser = globalThis as unknown as Browser

/** An element of the page, with the members that pages use. */
export interface PageElement {
  readonly id: string
  readonly tagName: string
  readonly textContent: string | null
  readonly clientWidth: number
  value?: string
  /** Only of a `details` element: whether it is open. */
  open?: boolean
  contains(other: PageElement | null): boolean
  closest(selector: string): PageElement | null
  querySelector(selector: string): PageElement | null
  getAttribute(name: string): string | null
  getBoundingClientRect(): {
    readonly left: number
    readonly top: number
    readonly width: number
    readonly height: number
  }
  focus(): void
  select?(): void
}

/** A link with its resolved address. */
interface LinkElement extends PageElement {
  readonly href: string
  readonly target: string
  readonly pathname: string
  readonly search: string
  readonly hash: string
  readonly origin: string
}

/** An event of the page: a click, a key, a moved pointer. */
export interface PageEvent {
  readonly type: string
  readonly target: PageElement
  readonly currentTarget: PageElement
  readonly defaultPrevented: boolean
  readonly key: string
  readonly button: number
  readonly clientX: number
  readonly clientY: number
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly shiftKey: boolean
  readonly isComposing: boolean
  /** Only of a drag. */
  readonly dataTransfer?: { setData(type: string, text: string): void }
  preventDefault(): void
  stopPropagation(): void
}

interface Listening {
  addEventListener(type: string, listener: (event: PageEvent) => void): void
  removeEventListener(type: string, listener: (event: PageEvent) => void): void
}

/** A live stream from the server. It reconnects automatically. */
export interface EventStream {
  onopen: (() => void) | null
  onmessage: ((event: { readonly data: string }) => void) | null
  onerror: (() => void) | null
  /** 0 while it connects, 1 while it is open, 2 after it stopped trying. */
  readonly readyState: number
  addEventListener(name: string, heard: () => void): void
  close(): void
}

interface Browser extends Listening {
  readonly document: Listening & {
    title: string
    readonly visibilityState: 'visible' | 'hidden'
    readonly activeElement: PageElement | null
    getElementById(id: string): PageElement | null
    querySelector(selector: string): PageElement | null
  }
  readonly location: {
    readonly href: string
    readonly origin: string
    readonly pathname: string
    readonly search: string
    assign(url: string): void
    reload(): void
  }
  readonly history: {
    pushState(state: null, unused: '', url: string): void
    replaceState(state: null, unused: '', url: string): void
  }
  readonly navigator: { readonly clipboard?: { writeText(text: string): Promise<void> } }
  readonly innerWidth: number
  readonly fetch: typeof fetch
  /** The clock of the reader's device. */
  readonly Date: new () => Date
  readonly EventSource: new (url: string) => EventStream
  readonly ResizeObserver: new (
    changed: (entries: readonly { readonly contentRect: { readonly width: number } }[]) => void,
  ) => { observe(element: PageElement): void; disconnect(): void }
  matchMedia(query: string): { readonly matches: boolean }
  setTimeout(work: () => void, ms: number): number
  clearTimeout(timer: number): void
  isSecureContext: boolean
}

export type { LinkElement }
