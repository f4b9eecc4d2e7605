import { actForEach, definePage, type PageContext } from 'renown/pages'
import * as v from 'valibot'
import { draftPost } from '../acts/post-acts'
import { postTarget } from '../contract'
import { postPlatforms } from '../records/content'
import { locationChoices } from './location-choices'
import { postsStyle } from './posts-style'

export interface NewData {
  readonly locations: readonly (readonly [id: string, name: string])[]
  readonly platforms: readonly (readonly [name: string, label: string])[]
  /** The location that the address names. */
  readonly location: string
  readonly is_demo: boolean
}

const platforms = v.pipe(
  v.optional(v.union([v.string(), v.array(v.string())]), []),
  v.transform((given) => [given].flat()),
  v.minLength(1, 'Choose at least one target.'),
  v.array(v.picklist(postPlatforms, 'Choose targets of the list.')),
)

/** Drafts the same post for each of the chosen targets. */
const create = actForEach(draftPost, {
  field: 'platforms',
  list: platforms,
  gives: ['platform'],
  given: (platform) => ({ platform }),
  after(outcomes) {
    const made = outcomes.map((one) => {
      if ('refusal' in one) throw one.refusal
      return one.made.created ?? ''
    })
    const done = { done: 'drafted' }
    const [post = ''] = made
    return {
      to:
        made.length === 1
          ? `/app/posts/post?${new URLSearchParams({ post, ...done })}`
          : `/app/posts?${new URLSearchParams(done)}`,
    }
  },
})

/** The page on which people write a post, for one target or several. */
export const newPage = definePage<NewData>({
  path: '/app/posts/new',
  title: 'New post',
  module: new URL('./NewPage.tsx', import.meta.url),
  isStatic: true,
  width: 'narrow',
  load: loadNew,
  submit: create,
  style: postsStyle,
})

async function loadNew(ctx: PageContext, query: URLSearchParams): Promise<NewData> {
  const targets = ctx.extensions(postTarget).toSorted((a, b) => a.order - b.order)
  return {
    locations: await locationChoices(ctx),
    platforms: targets.map(({ platform, label }) => [platform, label] as const),
    location: (query.get('location') ?? '').slice(0, 100),
    is_demo: ctx.isDemo,
  }
}
