import type { Person } from '../../auth/sessions'
import { type ContextDeps, readContext } from '../../contexts/context'
import type { AnyPage, PageContext, PageCounter, PagePerson } from '../../contracts/page'
import type { OwnerContext } from '../../contracts/plugin'
import type { AnyWords } from '../../contracts/words'
import { systemReads } from '../../registry/own-context'
import type { RequestState } from '../../requests/request'
import type { Bundle } from './bundle'
import type { Downloads } from './downloads/downloads'
import { contentLanguage, languageOf } from './language'
import { recordHistory } from './record-history'
import type { PageReader } from './route'
import type { Streams } from './streams/events'
import { memberWorkspaces, type WorkspaceAccess } from './workspace-access'

export interface AppPageDeps {
  readonly pages: readonly AnyPage[]
  readonly bundle: Bundle
  readonly context: ContextDeps
  readonly owner: OwnerContext
  readonly counter: PageCounter | null
  readonly streams: Streams
  readonly downloads: Downloads
  readonly places: Pick<WorkspaceAccess, 'find'>
}

/** Returns a function that reads each thing once. */
function createOnce(): PageContext['once'] {
  const known = new Map<string, Promise<unknown>>()
  return <Read>(name: string, read: () => Promise<Read>) => {
    const reading = known.get(name) ?? read()
    known.set(name, reading)
    return reading as Promise<Read>
  }
}

/** What the contexts of one request read once together, by workspace and language. */
const together = new WeakMap<RequestState, Map<string, PageContext['once']>>()

/**
 * Lets the navigation and the page of a request share what they read once. Only for requests that write nothing: what a
 * form changed must be read again.
 */
export function shareReads(state: RequestState): void {
  together.set(state, new Map())
}

function onceOf(state: RequestState, key: string): PageContext['once'] {
  const known = together.get(state)
  const once = known?.get(key) ?? createOnce()
  known?.set(key, once)
  return once
}

/** Returns what pages know of a person. */
export function pagePersonOf(person: Person): PagePerson {
  const { id, agency_id, role, name, email } = person
  const workspace_ids = memberWorkspaces(person)
  return {
    id,
    agency_id,
    role,
    ...(name === undefined ? {} : { name }),
    ...(email === undefined ? {} : { email }),
    ...(workspace_ids === undefined ? {} : { workspace_ids }),
  }
}

/** Returns the read context of a page with these words, for the current workspace. Null if there is none. */
export function pageContextOf(
  deps: Pick<AppPageDeps, 'context' | 'owner' | 'counter'>,
  { place, person, state, host }: PageReader,
  words?: AnyWords,
): PageContext | null {
  if (!place) return null
  const { info } = place
  const given = memberWorkspaces(person)
  const reading = readContext(deps.context, {
    workspace: info,
    credential: {
      kind: 'person',
      agency_id: info.agency_id,
      platform: false,
      scopes: ['read', 'write'],
      ...(given ? { workspace_ids: given } : {}),
    },
    requestId: state.id,
  })
  const language = contentLanguage(words, languageOf(person))
  return {
    ...reading,
    person: pagePersonOf(person),
    language,
    apiUrl: host.origin,
    ingestUrl: deps.owner.ingestUrl,
    counter: deps.counter,
    isDemo: place.is_demo,
    system: systemReads(deps.owner),
    once: onceOf(state, `${info.id} ${language}`),
    history: (recordId, limit) => recordHistory(deps.owner, info.agency_id, recordId, limit),
  }
}
