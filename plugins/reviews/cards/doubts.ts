import type { InboxSource, WorkspaceProblemSource } from 'renown/pages'
import type { Doubt } from 'renown/sources'
import { isTextless } from '../evidence/doubt'
import { doubtedLocations } from '../evidence/doubted'
import { reviewWords } from '../words'

/** What is in doubt, in a word. */
const about = (doubt: Doubt) => (isTextless(doubt) ? 'texts' : 'replies')
const locationPage = (id: string) => `/app/locations/one?${new URLSearchParams({ location: id })}`

/** Locations whose replies contradict what is stored, in the inbox. An entry disappears when its doubt ends. */
export const doubtsInbox: InboxSource = {
  name: 'doubts',
  title: reviewWords('kindDoubts'),
  order: 15,
  icon: 'triangle-alert',
  async list(ctx, limit) {
    const found = await doubtedLocations(ctx, limit)
    return found.map(({ id, name, doubt }) => ({
      id,
      state: `${doubt.since} ${doubt.about}`,
      word: reviewWords('inDoubt'),
      tone: 'warn',
      at: doubt.since,
      title: reviewWords(isTextless(doubt) ? 'textsInDoubt' : 'repliesInDoubt', { name: name.slice(0, 200) }),
      about: name,
      text: { text: doubt.why, lang: 'en' },
      link: { href: locationPage(id), label: reviewWords('openLocation') },
    }))
  },
}

/** The same among the problems of a workspace. */
export const doubtProblems: WorkspaceProblemSource = {
  name: 'review-doubts',
  order: 25,
  async read(ctx, limit) {
    const found = await doubtedLocations(ctx, limit)
    return found.map(({ id, doubt }) => ({
      kind: 'location_in_doubt',
      severity: 'critical',
      location_id: id,
      about: doubt.about,
      since: doubt.since,
      why: doubt.why,
      todo: `Compare the ${about(doubt)} at the platform with those in /app/reviews. The doubt ends by itself when they agree.`,
    }))
  },
}
