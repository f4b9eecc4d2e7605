import { faultText } from 'renown/sending'
import { contentFaults } from '../content/checkContent'
import type { PostTarget } from '../contract'
import type { PostRow } from '../records/Post'
import type { PostedLocationRow } from '../records/PostedLocation'
import { postFaults } from './check-draft'
import { templateGenerator, type WrittenPost } from './write-post'

interface Drafted extends WrittenPost {
  readonly post: PostRow
  readonly location: PostedLocationRow
  /** Null if no loaded plugin publishes on the platform. */
  readonly target: PostTarget | null
  readonly intent: string
}

/** Returns what a person should check or add before scheduling a draft. */
export function draftWarnings(drafted: Drafted, wantsImage: boolean): string[] {
  const { post, location, target, intent, text, language, generator } = drafted
  const { post_type } = post
  const unconnected = target?.refusal?.(location) ?? null
  return [
    ...(generator === templateGenerator
      ? ['This is a template and does not contain the intent. Add what the post should say.']
      : []),
    ...(wantsImage ? ['The draft has no picture, because no image service is configured.'] : []),
    ...postFaults(text, location, { intent, post_type, language }).map(faultText),
    ...(target === null ? [`No loaded plugin publishes to ${post.platform}.`] : []),
    ...(target === null ? [] : contentFaults(post, target).map(({ message }) => message)),
    ...(unconnected === null ? [] : [unconnected]),
    ...(location.is_active ? [] : ['This location is paused. Its posts cannot be scheduled.']),
  ]
}
