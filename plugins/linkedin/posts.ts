import { isServiceFault, type OwnerContext, type ServiceFault, statusFault } from 'renown'
import {
  type AddressAnswer,
  askAddress,
  type LookedPosts,
  type OpenTarget,
  type PostTarget,
  postText,
  type ShownPost,
} from 'renown/posts'
import { shownSince } from 'renown/sending'
import * as v from 'valibot'
import { linkedinSettings } from './settings'

const pageSize = 50
const organization = /^urn:li:organization:\d{1,20}$/

const postForm = v.object({
  id: v.pipe(v.string(), v.startsWith('urn:li:')),
  commentary: v.string(),
  createdAt: v.pipe(v.number(), v.integer()),
  publishedAt: v.nullish(v.pipe(v.number(), v.integer())),
  lifecycleState: v.nullish(v.string()),
  visibility: v.nullish(v.string()),
  author: v.nullish(v.string()),
})
type Listed = v.InferOutput<typeof postForm>
const listForm = v.object({ elements: v.array(postForm) })
const madeForm = v.object({ id: v.pipe(v.string(), v.startsWith('urn:li:')) })
const errorForm = v.object({ message: v.string(), status: v.optional(v.number()) })

/** Characters with a meaning in LinkedIn's texts. Without a backslash before them, LinkedIn cuts the text. */
const escaped = (text: string) => text.replace(/[\\|{}@[\]()<>#*_~]/g, (sign) => `\\${sign}`)
/** Returns the words that people see of a text with LinkedIn's signs. */
const unescaped = (commentary: string) =>
  commentary.replace(/\{hashtag\|\\?#\|([^{}|]*)\}/g, '#$1').replace(/\\([\\|{}@[\]()<>#*_~])/g, '$1')
const commentaryOf: NonNullable<PostTarget['rules']['textOf']> = (post) => escaped(postText(post))

/**
 * Posts of an organization on LinkedIn, with an access token of a person who manages it. LinkedIn recognizes no keys. A
 * post is found again in the list of the organization.
 */
export const linkedinPosts: PostTarget = {
  name: 'linkedin',
  platform: 'linkedin',
  label: 'LinkedIn',
  order: 80,
  perHour: 20,
  proof: {
    states: {
      PUBLISHED: 'visible',
      DRAFT: 'held',
      PUBLISH_REQUESTED: 'processing',
      'PUBLISHED, not for everybody': 'held',
      PUBLISH_FAILED: 'rejected',
    },
    source: 'LinkedIn, Posts API: `lifecycleState` and `visibility`',
    linkHosts: ['lnkd.in'],
  },
  shownText: postText,
  rules: {
    postTypes: ['update', 'offer', 'event'],
    textMax: 3_000,
    countedIn: 'characters',
    photosMax: 0,
    videosMax: 0,
    textOf: commentaryOf,
  },
  channel: {
    account: { label: 'Organization, such as urn:li:organization:123' },
    secret: { label: 'Access token with the scopes w_organization_social and r_organization_social' },
    refusal: ({ account }) =>
      organization.test(account) ? null : 'The account must look like urn:li:organization:123.',
  },
  async open(ctx, { channel: { account, secret } }): Promise<OpenTarget> {
    const ask = asker(ctx, secret)
    return {
      async create(post): Promise<ShownPost> {
        const { id } = await ask('/rest/posts', madeForm, {
          what: "LinkedIn's answer to the post",
          json: postOf(account, commentaryOf(post)),
          // The id comes in a header, and the body is empty.
          readValue: ({ headers }) => ({ id: headers.get('x-restli-id') ?? undefined }),
        })
        return { external_id: id, url: addressOf(id), evidence: '201' }
      },
      async read(external_id) {
        try {
          const path = `/rest/posts/${encodeURIComponent(external_id)}`
          return shownPost(await ask(path, postForm, { what: "LinkedIn's post" }), account, 'the post')
        } catch (error) {
          if (isServiceFault(error) && error.code === '404') return null
          throw error
        }
      },
      async look(_, { started_at }): Promise<LookedPosts> {
        const query = new URLSearchParams({ author: account, q: 'author', count: String(pageSize) })
        const { elements } = await ask(`/rest/posts?${query}`, listForm, {
          what: "LinkedIn's list of posts",
          headers: { 'x-restli-method': 'FINDER' },
        })
        const isOld = ({ createdAt }: Listed) => createdAt < shownSince(started_at)
        return {
          shown: elements.map((one) => shownPost(one, account, 'the list of the organization')),
          isWhole: elements.length < pageSize || elements.some(isOld),
        }
      },
    }
  },
}

function shownPost(
  { id, commentary, createdAt, publishedAt, lifecycleState, visibility, author }: Listed,
  account: string,
  evidence: string,
): ShownPost {
  const isHidden = lifecycleState === 'PUBLISHED' && visibility != null && visibility !== 'PUBLIC'
  return {
    external_id: id,
    url: addressOf(id),
    text: unescaped(commentary),
    created_at: new Date(createdAt).toISOString(),
    published_at: publishedAt == null ? undefined : new Date(publishedAt).toISOString(),
    state: isHidden ? 'PUBLISHED, not for everybody' : (lifecycleState ?? undefined),
    evidence,
    ...(author != null && author !== account ? { isOther: `${id} is by another author.` } : {}),
  }
}

const addressOf = (id: string) => `https://www.linkedin.com/feed/update/${encodeURIComponent(id)}`

const postOf = (author: string, commentary: string) => ({
  author,
  commentary,
  visibility: 'PUBLIC',
  lifecycleState: 'PUBLISHED',
  isReshareDisabledByAuthor: false,
  distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
})

interface Asked {
  readonly what: string
  readonly json?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly readValue?: (answer: AddressAnswer) => unknown
}

function asker(ctx: OwnerContext, token: string) {
  const { LINKEDIN_URL: base, LINKEDIN_VERSION: version } = linkedinSettings.of(ctx)
  return <S extends v.GenericSchema>(path: string, answer: S, { headers, ...asked }: Asked) =>
    askAddress(ctx, {
      ...asked,
      url: `${base}${path}`,
      answer,
      faultOf: linkedinFault,
      secrets: [token],
      headers: {
        authorization: `Bearer ${token}`,
        'linkedin-version': version,
        'x-restli-protocol-version': '2.0.0',
        ...headers,
      },
    })
}

function linkedinFault(answer: AddressAnswer): ServiceFault | null {
  const said = v.safeParse(errorForm, answer.json)
  return said.success ? statusFault(answer, `LinkedIn refused: ${said.output.message}`) : null
}
