/** @jsxImportSource renown/web */
import {
  Button,
  Card,
  Checkbox,
  Empty,
  Form,
  Head,
  Moment,
  Notice,
  type PageProps,
  Quote,
  Row,
  Toast,
} from 'renown/web'
import type { ApproveData, WaitingDraft } from './approve-page'
import { Stars } from './stars'
import { Subnav } from './subnav'

const path = '/app/reviews/approve'

interface Partly {
  readonly done: number
  readonly refused: readonly { readonly id: string; readonly why: string }[]
}

/** Every draft next to its review. Select those that are right, and send them together. */
export default function ApprovePage({ data, csrf, outcome, notice }: PageProps<ApproveData>) {
  const partly = outcome?.shown as Partly | undefined
  const ready = data.drafts.filter(({ held }) => held === null).length
  return (
    <>
      <Head title="Approve drafts">
        Renown checks each one again right before sending: a review that changed, or that somebody answered,
        is left out.
      </Head>
      <Subnav path={path} />
      {notice !== null && <Toast text={notice} />}
      {data.is_demo && (
        <Notice title="Demo: nothing leaves this machine">
          Replies that you approve are shown with their reviews. No platform gets them.
        </Notice>
      )}
      {outcome?.ok === false && (
        <Notice tone="bad" title="Nothing was sent">
          {outcome.faults?.drafts ?? outcome.fault}
        </Notice>
      )}
      {partly && (
        <Notice tone="warn" title={`${partly.done} queued, ${partly.refused.length} not`}>
          <ul>
            {partly.refused.map(({ id, why }) => (
              <li key={id}>
                <a href={`/app/reviews?${new URLSearchParams({ review: id })}`}>Review</a>: {why}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {data.drafts.length === 0 ? (
        <Empty text="No draft waits." action={<a href="/app/reviews?needs=1">Reviews that need a reply</a>} />
      ) : (
        <Form action={`${path}/send`} csrf={csrf} label="Drafts">
          <div class="stack">
            {data.drafts.map((draft) => (
              <Draft key={draft.id} of={draft} />
            ))}
            {data.has_more && (
              <p class="hint">The page shows the newest 25. More appear when these are done.</p>
            )}
            <Row>{ready > 0 && <Button>Send ticked replies</Button>}</Row>
          </div>
        </Form>
      )}
    </>
  )
}

function Draft({ of: draft }: { readonly of: WaitingDraft }) {
  const href = `/app/reviews?${new URLSearchParams({ review: draft.id })}`
  return (
    <Card>
      <div class="facts-line">
        <Stars stars={draft.stars} />
        <bdi>{draft.by ?? 'Anonymous'}</bdi>
        <span>{draft.platform}</span>
        <bdi>{draft.location}</bdi>
        <Moment at={draft.at ?? undefined} />
      </div>
      {draft.text !== '' && <Quote text={draft.text} lang={draft.language ?? undefined} />}
      <Quote text={draft.draft} by="Draft" />
      {draft.held === null ? (
        <Checkbox
          name="drafts"
          value={draft.mark}
          id={`draft-${draft.id}`}
          label={
            <>
              Send this reply to <bdi>{draft.by ?? 'Anonymous'}</bdi>
            </>
          }
        />
      ) : (
        <p class="hint">Not here: {draft.held}</p>
      )}
      <a href={href}>Open review</a>
    </Card>
  )
}
