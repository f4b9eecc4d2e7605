import { Refusal, refusedField } from 'renown'
import { defineAction, definePage, type PageContext } from 'renown/pages'
import * as v from 'valibot'
import { createPost } from '../acts/edit'
import { postTarget } from '../contract'
import { type PostPlatform, postPlatforms } from '../records/content'
import { PostedLocation } from '../records/PostedLocation'
import { contentFields, contentOf, namingFields } from './content-form'
import { choices } from './load-calendar'
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

const create = defineAction({
  auth: 'session',
  refusesDemo: true,
  input: v.strictObject({
    location: v.pipe(v.optional(v.string(), ''), v.minLength(1, 'Choose a location.')),
    platforms,
    ...contentFields,
  }),
  async run(ctx, { location, platforms: chosen, ...fields }) {
    const row = await ctx.rows(PostedLocation).get(location)
    if (!row) throw refusedField('location', 'Choose a location of this workspace.')
    const { post_type, content } = contentOf(fields)
    const made: string[] = []
    for (const platform of new Set<PostPlatform>(chosen)) {
      const given = { location_id: row.id, platform, post_type, content }
      made.push((await namingFields(() => createPost(ctx.owner, given))).id)
    }
    const [first] = made
    if (first === undefined) throw new Refusal('conflict', 'Choose at least one target.')
    return {
      to: made.length === 1 ? `/app/posts/post?post=${first}&done=drafted` : '/app/posts?done=drafted',
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
    locations: await choices(ctx),
    platforms: targets.map(({ platform, label }) => [platform, label] as const),
    location: (query.get('location') ?? '').slice(0, 100),
    is_demo: ctx.isDemo,
  }
}
