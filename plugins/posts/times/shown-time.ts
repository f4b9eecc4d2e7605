import { exactTime } from 'renown/web'
import type { PostRow } from '../records/Post'

type Timed = Pick<PostRow, 'scheduled_at' | 'wall_time' | 'timezone'>

/** Returns the time zone in which a person planned a post. */
export const zoneOf = ({ wall_time, timezone }: Timed, zone: string): string =>
  wall_time === undefined ? zone : (timezone ?? zone)

/** When a post is due, in its own time zone, with the zone's name. Null if it is not scheduled. */
export function shownTime(post: Timed, zone: string): string | null {
  if (!post.scheduled_at) return null
  const own = zoneOf(post, zone)
  return `${exactTime(post.scheduled_at, own)} (${own})`
}
