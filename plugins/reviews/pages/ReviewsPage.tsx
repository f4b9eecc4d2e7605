/** @jsxImportSource renown/web */
import {
  ButtonLink,
  Empty,
  formatNumber,
  Head,
  isOfSeveral,
  Listed,
  listAddress,
  Moment,
  Notice,
  type PageProps,
  StateWord,
  Toast,
} from 'renown/web'
import type { ReviewsData } from './loadReviews'
import { ReviewDetail } from './review-detail'
import { reviewsPath } from './review-forms'
import type { ReviewLine } from './review-lines'
import { Stars } from './stars'
import { Subnav } from './subnav'

type Props = PageProps<ReviewsData>

/** Shows every review of the workspace: the list on the left, one review with its reply on the right. */
export default function ReviewsPage(props: Props) {
  const { data } = props
  return (
    <>
      <Head title="Reviews">
        {data.waiting === 0
          ? 'No review waits for a reply.'
          : `${formatNumber(data.waiting)} waiting for a reply.`}
      </Head>
      <div class="above-list">
        <Subnav path={reviewsPath} />
      </div>
      <Said {...props} />
      <Doubts of={data.doubts} />
      <Listed
        of={data.list}
        page={props}
        line={(line) => <Line of={line} />}
        detail={(review) => <ReviewDetail {...props} of={review} />}
        start={<Nothing mayConnect={data.may_connect} />}
        keys={keys}
      />
    </>
  )
}

const keys = [
  ['r', 'Write the reply'],
  ['Ctrl Enter', 'Send the reply, and open the next review'],
  ['e', 'Mark the review as read, and open the next one'],
] as const

/** Forms whose errors are shown in the review. */
const isInReview = ({ action }: NonNullable<Props['outcome']>) => !isOfSeveral({ action, ok: false })

/** The notice of the last action, with Undo for a sent reply and for a review that was marked as read. */
function Said({ data: { undo, list }, notice, outcome, csrf, search }: Props) {
  if (outcome && !outcome.ok && isInReview(outcome) && list.beside?.shown == null)
    return (
      <Notice tone="bad" title="Nothing was changed">
        {outcome.fault}
      </Notice>
    )
  if (notice === null) return null
  const done = new URLSearchParams(search).get('done')
  if (undo === null || (done !== 'sent' && done !== 'read')) return <Toast text={notice} />
  const hidden = {
    review: undo,
    following: '',
    search: list.search,
    back: listAddress(list, { review: list.beside?.id ?? '' }),
    ...(done === 'read' && { state: 'unread' }),
  }
  const action = `${reviewsPath}/${done === 'sent' ? 'cancel' : 'mark'}`
  return <Toast text={notice} undo={{ action, csrf, hidden, what: notice }} />
}

const Nothing = ({ mayConnect }: { readonly mayConnect: boolean }) => (
  <Empty
    text={
      mayConnect
        ? 'No reviews yet. Connect a Google profile or a Facebook Page, and Renown reads them automatically.'
        : 'No reviews yet. Ask an owner to connect a Google profile or a Facebook Page.'
    }
    action={
      mayConnect && (
        <ButtonLink href="/app/settings/connections" kind="primary">
          Connect an account
        </ButtonLink>
      )
    }
    sample={<Line of={sample} />}
  />
)

function Line({ of: line }: { readonly of: ReviewLine }) {
  return (
    <>
      <span class={line.is_read ? 'review-line' : 'review-line unread'}>
        <Stars stars={line.stars} />
        <bdi class="who">{line.by ?? 'Anonymous'}</bdi>
        {!line.is_read && <span class="unseen">unread</span>}
        <span class="when">{line.at !== null && <Moment at={line.at} still />}</span>
      </span>
      <span
        class={line.text === '' ? 'review-words silent' : 'review-words'}
        dir="auto"
        lang={line.text === '' ? undefined : (line.language ?? undefined)}
      >
        {line.text === '' ? 'No text' : line.text}
      </span>
      <span class="review-foot">
        <span>{line.platform}</span>
        <bdi class="place">{line.location}</bdi>
        {line.is_flagged && (
          <StateWord tone="warn" icon="flag">
            Flagged
          </StateWord>
        )}
        <LineState of={line.state} />
      </span>
    </>
  )
}

const lineStates = {
  answered: ['good', 'Answered'],
  draft: ['warn', 'Draft'],
  waiting: ['warn', 'Waiting'],
  failed: ['bad', 'Failed'],
} as const

function LineState({ of: state }: { readonly of: ReviewLine['state'] }) {
  if (state === 'open') return null
  const [tone, words] = lineStates[state]
  return <StateWord tone={tone}>{words}</StateWord>
}

const sample: ReviewLine = {
  id: 'sample',
  by: 'Ann Lee',
  stars: 5,
  text: 'Warm bread and kind people.',
  language: 'en',
  platform: 'Google',
  location: 'Harbour Bakehouse',
  at: null,
  is_read: true,
  is_flagged: false,
  state: 'answered',
}

function Doubts({ of }: { readonly of: ReviewsData['doubts'] }) {
  return (
    <>
      {of.map(({ id, name, doubt }) => (
        <Notice key={id} tone="warn" title={`The replies of ${name} are in doubt`}>
          {doubt.why}
        </Notice>
      ))}
    </>
  )
}
