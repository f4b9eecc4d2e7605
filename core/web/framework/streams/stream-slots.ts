import { Refusal } from '../../../contracts/errors'
import type { StreamLoad } from '../../../http/metrics'

/** The owner of a stream. Each has a limit. */
export interface StreamOwner {
  readonly person: string
  readonly workspace: string
  readonly agency: string
}

/** Maximum simultaneous streams. */
export interface StreamLimits {
  readonly perPerson: number
  readonly perWorkspace: number
  readonly all: number
}

/** The slots for live streams in this process. */
export interface StreamSlots {
  /**
   * Takes a slot and returns the function that releases it. Throws a Refusal above a limit. When all slots are taken,
   * the agency with the most streams loses its oldest one to an agency with fewer.
   */
  enter(owner: StreamOwner, end: () => void): () => void
  load(): StreamLoad
}

interface Open extends StreamOwner {
  readonly end: () => void
}

export function createStreamSlots({ perPerson, perWorkspace, all }: StreamLimits): StreamSlots {
  /** Oldest first. */
  const open = new Set<Open>()
  const people = createCounts()
  const workspaces = createCounts()
  const agencies = createCounts()
  let ended = 0
  let refused = 0

  const leave = (stream: Open) => {
    if (!open.delete(stream)) return
    people.less(stream.person)
    workspaces.less(stream.workspace)
    agencies.less(stream.agency)
  }
  const refuse = (limit: string, detail: string): never => {
    refused++
    throw new Refusal('quota_exceeded', detail, {
      retryAfterSeconds: 30,
      extra: { 'violated-policies': [limit] },
    })
  }
  const makeRoom = (agency: string) => {
    if (open.size < all) return
    const largest = agencies.largest()
    if (largest.count <= agencies.of(agency) + 1)
      refuse('streams', 'Too many live updates are open at the moment. The page works without them.')
    const oldest = [...open].find((stream) => stream.agency === largest.name)
    if (!oldest) return
    ended++
    leave(oldest)
    oldest.end()
  }
  return {
    load: () => ({ open: open.size, max: all, ended, refused }),
    enter(owner, end) {
      if (people.of(owner.person) >= perPerson)
        refuse('streams-per-person', `You have ${perPerson} pages with live updates open. Close some.`)
      if (workspaces.of(owner.workspace) >= perWorkspace)
        refuse(
          'streams-per-workspace',
          `${perWorkspace} pages of this workspace already have live updates open. Close some.`,
        )
      makeRoom(owner.agency)
      const stream: Open = { ...owner, end }
      open.add(stream)
      people.more(owner.person)
      workspaces.more(owner.workspace)
      agencies.more(owner.agency)
      return () => leave(stream)
    },
  }
}

/** Creates counts by name. A count of 0 takes no memory. */
function createCounts() {
  const counts = new Map<string, number>()
  const of = (name: string) => counts.get(name) ?? 0
  return {
    of,
    more: (name: string) => void counts.set(name, of(name) + 1),
    less: (name: string) => {
      if (of(name) > 1) counts.set(name, of(name) - 1)
      else counts.delete(name)
    },
    largest: () =>
      [...counts].reduce((most, [name, count]) => (count > most.count ? { name, count } : most), {
        name: '',
        count: 0,
      }),
  }
}
