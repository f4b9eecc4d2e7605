/** @jsxImportSource renown/web */
import {
  Card,
  CopyField,
  Facts,
  Head,
  Moment,
  Notice,
  OutLink,
  type PageProps,
  Quote,
  StateWord,
  Table,
  Toast,
} from 'renown/web'
import { Preview } from '../approval/post-preview'
import { State } from './listed-post'
import type { PostData, ShownAttempt, ShownLink } from './load-post'
import {
  ApprovalForms,
  CancelForm,
  Decision,
  DuplicateForm,
  EditForm,
  OneButton,
  PublishForm,
  ScheduleForm,
} from './post-forms'

/** One post: as it will look, its time, its approval and its attempts, with a form for each act. */
export default function PostPage(props: PageProps<PostData>) {
  const { data, notice, outcome, workspace } = props
  const { status, why } = data
  const made = outcome?.ok && outcome.action === 'ask-approval' ? addressOf(outcome.shown) : null
  const isPlain = status === 'draft' || status === 'scheduled'
  const mayEdit = isPlain || (status === 'failed' && !data.is_undecided)
  return (
    <>
      <Head title="Post">
        <bdi>{data.business}</bdi> · {data.preview.platform} · <a href="/app/posts">All posts</a>
      </Head>
      {notice !== null && <Toast text={notice} />}
      {outcome?.ok === false && (
        <Notice tone="bad" title="Nothing was changed">
          <p>
            {outcome.faults?.sure ?? outcome.faults?.allow_duplicate ?? outcome.faults?.days ?? outcome.fault}
          </p>
        </Notice>
      )}
      {made !== null && (
        <Notice tone="good" title="The link is ready">
          <p>Send it to your client now. Renown does not show it again. Earlier links no longer work.</p>
          <CopyField name="approval-link" label="Link" value={made} />
        </Notice>
      )}
      {data.is_undecided && <Decision {...props} />}
      {why !== null && !data.is_undecided && status !== 'published' && (
        <Notice tone="bad" title={data.state.word}>
          <p class="lines">{why}</p>
        </Notice>
      )}
      <Platform of={data} />
      <Warnings of={data} />
      <div class="detail-halves">
        <div>
          <Card title="As it will look">
            <Facts of={factsOf(data, workspace.timezone)} />
            <Preview of={data.preview} />
          </Card>
          {mayEdit && <EditForm {...props} />}
          <Attempts of={data.attempts} />
        </div>
        <div>
          {mayEdit && <ScheduleForm {...props} />}
          {mayEdit && <PublishForm {...props} />}
          {isPlain && <ApprovalForms {...props} />}
          <Links of={data.links} />
          <Card title="More">
            {status === 'scheduled' && (
              <OneButton {...props} action="unschedule" label="Take off the schedule" />
            )}
            <DuplicateForm {...props} />
            {isPlain && <CancelForm {...props} />}
          </Card>
        </div>
      </div>
    </>
  )
}

const addressOf = (shown: unknown): string | null =>
  typeof shown === 'object' && shown !== null && 'address' in shown ? String(shown.address) : null

function factsOf(data: PostData, timezone: string) {
  const { mark, external_url: url, preview } = data
  const length =
    preview.length_max === null ? `${preview.length}` : `${preview.length} of ${preview.length_max}`
  return [
    ['State', <State key="state" of={data.state} />] as const,
    ...(mark ? [['Approval', <State key="mark" of={mark} />] as const] : []),
    ...(data.when === null ? [] : [['Planned', data.when] as const]),
    ...(data.published_at === null
      ? []
      : [['Published', <Moment key="at" at={data.published_at} />] as const]),
    ...(url === null ? [] : [['Address', <OutLink key="url" href={url} />] as const]),
    ...(data.platform_state === null
      ? []
      : [['State there', <bdi key="there">{data.platform_state}</bdi>] as const]),
    ['Length', length] as const,
    ...(data.written_by === null ? [] : [['Written by', data.written_by] as const]),
    ['Times on this page', timezone] as const,
  ]
}

/** What the platform does with the post: it holds it back, shows it twice, or cannot be believed now. */
function Platform({
  of: { held_since, platform_state, duplicate_urls, external_url, doubt, preview },
}: {
  readonly of: PostData
}) {
  return (
    <>
      {held_since !== null && (
        <Notice tone="warn" title={`${preview.platform} holds this post back`}>
          <p>
            Its state there is <bdi>{platform_state ?? 'unknown'}</bdi>, since <Moment at={held_since} />.
            Renown looks at it for seven days, and shows it as published when everybody can see it.
          </p>
        </Notice>
      )}
      {duplicate_urls.length > 0 && (
        <Notice tone="bad" title={`This post is on ${preview.platform} more than once`}>
          <p>Delete the ones that you do not want.</p>
          <ul>
            {[external_url, ...duplicate_urls].map((url) =>
              url === null ? null : (
                <li key={url}>
                  {/^https?:/.test(url) ? <OutLink href={url} /> : <bdi dir="ltr">{url}</bdi>}
                </li>
              ),
            )}
          </ul>
        </Notice>
      )}
      {doubt !== null && (
        <Notice tone="warn" title={`${preview.platform} is in doubt`}>
          <p>
            <bdi>{doubt.why}</bdi> Renown publishes nothing there until a person confirms it under{' '}
            <a href="/app/posts/targets">Targets</a>.
          </p>
        </Notice>
      )}
    </>
  )
}

function Warnings({
  of: { notices, faults, duplicate_id, is_demo, needs_approval, mark },
}: {
  readonly of: PostData
}) {
  const lines = [
    ...notices,
    ...faults,
    ...(needs_approval && mark?.word !== 'Approved'
      ? ['This workspace publishes only posts that a client approved.']
      : []),
  ]
  return (
    <>
      {is_demo && (
        <Notice title="Demo">
          <p>This post is a sample. Nothing publishes or changes it.</p>
        </Notice>
      )}
      {duplicate_id !== null && (
        <Notice tone="warn" title="The same text twice">
          <p>
            <a href={`/app/posts/post?post=${duplicate_id}`}>Another post</a> has the same text on the same
            platform within 30 days.
          </p>
        </Notice>
      )}
      {lines.length > 0 && (
        <Notice tone="warn" title="Check before you publish">
          <ul>
            {lines.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </Notice>
      )}
    </>
  )
}

const outcomes = {
  calling: ['warn', 'Sending'],
  published: ['good', 'Published'],
  rejected: ['bad', 'Refused'],
  unknown: ['bad', 'Unknown'],
  held: ['warn', 'Held back'],
} as const

function Attempts({ of: attempts }: { readonly of: readonly ShownAttempt[] }) {
  return (
    <Card title="Attempts" about="Each call to the platform, and what proves its outcome.">
      {attempts.length === 0 ? (
        <p class="hint">Renown has not sent this post yet.</p>
      ) : (
        <Table
          label="Attempts to publish the post"
          columns={['Began', 'Outcome', 'Sent', 'Looked for', 'Evidence']}
          rows={attempts.map((one) => [
            <Moment key="at" at={one.started_at} />,
            <StateWord key="outcome" tone={outcomes[one.outcome][0]}>
              {outcomes[one.outcome][1]}
            </StateWord>,
            times(one.calls),
            times(one.looks),
            <Evidence key="evidence" of={one} />,
          ])}
        />
      )}
    </Card>
  )
}

const times = (count: number) => (count === 1 ? 'once' : `${count} times`)

const Evidence = ({ of: { evidence, external_id, url } }: { readonly of: ShownAttempt }) => (
  <>
    {evidence === null ? 'None yet' : <bdi>{evidence}</bdi>}
    {external_id !== null && (
      <>
        {' · '}
        <bdi dir="ltr">{external_id}</bdi>
      </>
    )}
    {url !== null && (
      <>
        {' · '}
        <OutLink href={url} />
      </>
    )}
  </>
)

const linkStates = {
  open: ['warn', 'Waiting'],
  approved: ['good', 'Approved'],
  rejected: ['bad', 'Rejected'],
  ended: ['plain', 'Ended'],
  expired: ['plain', 'Expired'],
} as const

function Links({ of: links }: { readonly of: readonly ShownLink[] }) {
  if (links.length === 0) return null
  return (
    <Card title="Answers of clients">
      <ul class="plain stack">
        {links.map((link, place) => (
          <li key={place}>
            <StateWord tone={linkStates[link.state][0]}>{linkStates[link.state][1]}</StateWord>{' '}
            <Moment at={link.answered_at ?? link.made_at} />
            {link.state === 'open' && (
              <>
                {', until '}
                <Moment at={link.expires_at} isDay />
              </>
            )}
            {link.by !== null && (
              <>
                {' by '}
                <bdi>{link.by}</bdi>
              </>
            )}
            {link.note !== null && <Quote text={link.note} />}
          </li>
        ))}
      </ul>
    </Card>
  )
}
