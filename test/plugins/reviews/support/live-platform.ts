import type { PlatformReview } from '../../../support/stand-ins/google'
import type { platformWorld } from './platform-world'
import type { Change, Platform } from './year-steps'

/** The truth: what stands at the platform, and what happened there. */
export interface LivePlatform {
  readonly reviews: ReadonlyMap<string, PlatformReview>
  /** Every review that was away at some time. */
  readonly gone: ReadonlySet<string>
  /** What came or went since the last look. */
  readonly moved: ReadonlySet<string>
  /** Begins to note what moves; answers the time. */
  look(): number
  readonly counts: Readonly<Record<Change['do'], number>>
  happen(changes: readonly Change[]): void
}

/** Plays changes at a platform's stand-in. A change that finds nothing to change does nothing. */
export function livePlatform(
  world: Pick<Awaited<ReturnType<typeof platformWorld>>, Platform | 'bench'>,
  platform: Platform,
): LivePlatform {
  const { reviews } = world[platform]
  const moderated = new Map<string, PlatformReview>()
  const gone = new Set<string>()
  const moved = new Set<string>()
  const counts = { write: 0, edit: 0, remove: 0, restore: 0, answer: 0, wipe: 0 }
  const now = () => world.bench.now.getTime()
  const at = (place: number) => [...reviews.values()][Math.floor(place * reviews.size)]
  const take = (review: PlatformReview, comesBack: boolean) => {
    reviews.delete(review.id)
    gone.add(review.id)
    moved.add(review.id)
    if (comesBack) moderated.set(review.id, review)
  }
  const change = (what: Change): boolean => {
    if (what.do === 'write') {
      // Facebook tells whole seconds.
      const written = Math.floor((now() - what.agoMs) / 1_000) * 1_000
      const id = `r${counts.write + 1}`
      const said = { stars: what.stars, text: what.isSilent ? '' : `text ${id}`, author: `Author ${id}` }
      reviews.set(id, { id, ...said, created: written, updated: written })
      moved.add(id)
      return true
    }
    if (what.do === 'restore') {
      const [first] = moderated.values()
      if (!first) return false
      moderated.delete(first.id)
      reviews.set(first.id, first)
      moved.add(first.id)
      return true
    }
    if (what.do === 'wipe') {
      const all = [...reviews.values()]
      for (const review of all.slice(0, Math.ceil(all.length * what.share))) take(review, true)
      return all.length > 0
    }
    const review = at(what.at)
    if (!review) return false
    if (what.do === 'remove') take(review, what.isModerated)
    else if (what.do === 'answer') review.reply = { text: `answer ${counts.answer}`, at: now() }
    else {
      Object.assign(review, { text: `${review.text.slice(0, 20)} edit ${counts.edit}` })
      Object.assign(review, { stars: what.stars, updated: now() })
    }
    return true
  }
  return {
    reviews,
    gone,
    moved,
    counts,
    look() {
      moved.clear()
      return now()
    },
    happen(changes) {
      for (const what of changes) if (change(what)) counts[what.do]++
    },
  }
}
