/** @jsxImportSource ../../kit/jsx */
import type { AgentAppProps } from '../../kit/browser/page-props'
import { TimeOf } from '../../kit/browser/page-time'
import { render, useEffect, useState } from '../../kit/jsx/hooks'
import type { JSX } from '../../kit/jsx/jsx-runtime'
import { linkFor } from './app-link'
import { bridgeTo, type HostBridge, type HostCapabilities, type MessageWindow } from './host-bridge'
import { applyContext } from './host-context'
import { type ReadResult, readResult } from './tool-answer'

type Component = (props: AgentAppProps<unknown>) => JSX.Element | null
type Args = Readonly<Record<string, unknown>>

/** What the page says about its app. */
interface AppFacts {
  readonly name: string
  readonly title: string
  readonly tool: string
  readonly version: string
  readonly link: string
}

interface Box {
  readonly width: number
  readonly height: number
}

interface Window extends MessageWindow {
  readonly document: {
    readonly documentElement: Parameters<typeof applyContext>[0] & { getBoundingClientRect(): Box }
    getElementById(id: string): { readonly dataset: Readonly<Record<string, string>> } | null
  }
  readonly innerWidth: number
  readonly ResizeObserver: new (changed: () => void) => { observe(element: object): void }
}

/** What is shown now. */
type Shown = ReadResult | { readonly kind: 'waiting' } | { readonly kind: 'cancelled' }

interface State {
  readonly shown: Shown
  readonly args: Args
  readonly isBusy: boolean
  /** Why the last request of the app failed. The previous data stays. */
  readonly failure: string | null
  readonly timezone: string
  readonly can: HostCapabilities
}

const first: State = {
  shown: { kind: 'waiting' },
  args: {},
  isBusy: false,
  failure: null,
  timezone: 'UTC',
  can: {},
}

/** Shows an app inside a chat. The only tool that it can call is the one whose answers it shows. */
export function mountAgentApp(App: Component): void {
  const window = globalThis as unknown as Window
  const root = window.document.getElementById('app')
  if (!root) return
  const { name = '', title = '', tool = '', version = '', link = '' } = root.dataset
  render(<Shell App={App} window={window} facts={{ name, title, tool, version, link }} />, root)
}

interface ShellProps {
  readonly App: Component
  readonly window: Window
  readonly facts: AppFacts
}

function Shell({ App, window, facts }: ShellProps) {
  const [state, change] = useState(first)
  const [bridge, setBridge] = useState<HostBridge | null>(null)
  const set = (part: Partial<State>) => change((before) => ({ ...before, ...part }))
  useEffect(() => setBridge(connected(window, facts, set)), [])
  const ask = bridge && state.can.serverTools ? asking(bridge, facts.tool, state, change) : null
  return (
    <main class="app" aria-busy={state.isBusy ? 'true' : undefined}>
      <header class="app-head">
        <h1>{facts.title}</h1>
        {bridge && state.can.openLinks && (
          <button
            type="button"
            class="quiet"
            onClick={() => void bridge.openLink(linkFor(facts.link, state.args)).catch(() => {})}
          >
            Open in Renown
          </button>
        )}
      </header>
      {state.failure !== null && (
        <p class="app-fault" role="alert">
          {state.failure}
        </p>
      )}
      <TimeOf value={{ timezone: state.timezone, now: null }}>
        <Content shown={state.shown} App={App} props={{ args: state.args, isBusy: state.isBusy, ask }} />
      </TimeOf>
    </main>
  )
}

interface ContentProps {
  readonly shown: Shown
  readonly App: Component
  readonly props: Omit<AgentAppProps<unknown>, 'answer'>
}

function Content({ shown, App, props }: ContentProps) {
  if (shown.kind === 'answer') return <App {...props} answer={shown.answer} />
  if (shown.kind === 'refused')
    return (
      <p class="app-fault" role="alert" dir="auto">
        {shown.why}
      </p>
    )
  if (shown.kind === 'cancelled') return <p class="app-empty">The call was cancelled.</p>
  return (
    <div class="app-wait" role="status">
      <span class="unseen">Loading</span>
      <span />
      <span />
      <span />
    </div>
  )
}

/** Connects to the chat, follows its theme, and reports the size of the page. */
function connected(window: Window, facts: AppFacts, set: (part: Partial<State>) => void): HostBridge {
  const { documentElement } = window.document
  const follow = (context: object) => {
    const timezone = applyContext(documentElement, context)
    if (timezone !== null) set({ timezone })
  }
  const bridge = bridgeTo(window, {
    context: follow,
    input: (args) => set({ args }),
    result: (result) => set({ shown: readResult(result), isBusy: false, failure: null }),
    cancelled: () => set({ shown: { kind: 'cancelled' } }),
  })
  bridge
    .start({ name: `renown-${facts.name}`, version: facts.version })
    .then(({ context, capabilities }) => {
      follow(context)
      set({ can: capabilities })
      new window.ResizeObserver(() => {
        const { height } = documentElement.getBoundingClientRect()
        bridge.resized(window.innerWidth, Math.ceil(height))
      }).observe(documentElement)
    })
    .catch((error: Error) => set({ failure: `The chat refused the app: ${error.message}` }))
  return bridge
}

const asking =
  (bridge: HostBridge, tool: string, { args }: State, change: (next: (before: State) => State) => void) =>
  (more: Args) => {
    const all = Object.entries({ ...args, ...more }).filter(([, value]) => value !== undefined)
    const wanted = Object.fromEntries(all)
    change((before) => ({ ...before, isBusy: true, failure: null }))
    const done = (part: Partial<State>) => change((before) => ({ ...before, ...part, isBusy: false }))
    bridge.call(tool, wanted).then(
      (result) => {
        const shown = readResult(result)
        done(shown.kind === 'answer' ? { shown, args: wanted } : { failure: shown.why })
      },
      (error: Error) => done({ failure: `The chat did not allow the request: ${error.message}` }),
    )
  }
