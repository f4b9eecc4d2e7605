import { Refusal } from '../../../contracts/errors'

/** Downloads at the same time. */
interface DownloadLimits {
  readonly perPerson: number
  readonly perAgency: number
}

/** Limits how many downloads of a person and of an agency are written at the same time. */
export interface DownloadSlots {
  /** Takes a slot and returns the function that releases it. Throws a Refusal above a limit. */
  enter(owner: { readonly person: string; readonly agency: string }): () => void
}

export function createDownloadSlots({ perPerson, perAgency }: DownloadLimits): DownloadSlots {
  const open = new Map<string, number>()
  const add = (name: string, change: 1 | -1) => {
    const count = (open.get(name) ?? 0) + change
    if (count === 0) open.delete(name)
    else open.set(name, count)
  }
  return {
    enter({ person, agency }) {
      const own = `person ${person}`
      const all = `agency ${agency}`
      if ((open.get(own) ?? 0) >= perPerson || (open.get(all) ?? 0) >= perAgency) {
        throw new Refusal(
          'quota_exceeded',
          'Other downloads are still being written. Try again when they end.',
          {
            retryAfterSeconds: 10,
            extra: { 'violated-policies': ['downloads'] },
          },
        )
      }
      add(own, 1)
      add(all, 1)
      let isOpen = true
      return () => {
        if (!isOpen) return
        isOpen = false
        add(own, -1)
        add(all, -1)
      }
    },
  }
}
