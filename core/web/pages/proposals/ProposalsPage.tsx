/** @jsxImportSource ../../kit/jsx */
import type { PageProps } from '../../kit/browser/page-props'
import { Empty } from '../../kit/parts/empty'
import { Button, ButtonLink, Card, Field, Form, Head, Moment, Notice, Row } from '../../kit/parts/kit'
import { ListDetail } from '../../kit/parts/list-detail'
import { Quote } from '../../kit/parts/quote'
import { StateWord } from '../../kit/parts/state-word'
import { Toast } from '../../kit/parts/toast'
import { proposalsPath } from './proposal-entries'
import type { ListedProposal, ProposalsData, ShownProposal } from './proposals-page'

type Props = PageProps<ProposalsData>

const states = {
  open: ['Waits for you', 'warn'],
  approved: ['Being made', 'warn'],
  queued: ['Queued', 'warn'],
  done: ['Done', 'good'],
  failed: ['Failed', 'bad'],
  declined: ['Declined', 'plain'],
  expired: ['Expired', 'plain'],
  outdated: ['Outdated', 'plain'],
  unknown: ['Unknown', 'bad'],
} as const satisfies Record<ListedProposal['state'], readonly [string, 'plain' | 'good' | 'warn' | 'bad']>

/** The heading above what an agent proposed. It says whether that was done. */
const headings: Readonly<Record<ListedProposal['state'], string>> = {
  open: 'What happens if you approve',
  approved: 'What Renown does now',
  queued: 'What Renown will do',
  done: 'What was done',
  failed: 'What was not done',
  unknown: 'What may have been done',
  declined: 'What was proposed',
  expired: 'What was proposed',
  outdated: 'What was proposed',
}

const addressOf = (id: string) => `${proposalsPath}?${new URLSearchParams({ proposal: id })}`

/** The page of the changes that agents proposed: the list, and the selected one with its decision. */
export default function ProposalsPage(props: Props) {
  const { data, notice, outcome } = props
  return (
    <>
      <Head title="Proposals">
        Agents propose, people decide. An agent can never approve, send, publish or move anything itself.
      </Head>
      {outcome && !outcome.ok && (
        <Notice tone="bad" title="Nothing was changed">
          {outcome.fault}
        </Notice>
      )}
      {notice !== null && <Toast text={notice} />}
      {data.isMissing && <Notice title="There is no such proposal in this workspace" />}
      <ListDetail
        label="Proposals"
        rows={data.proposals.map((one) => ({
          id: one.id,
          href: addressOf(one.id),
          children: <Line of={one} />,
        }))}
        selectedId={data.shown?.id ?? null}
        backHref={proposalsPath}
        detail={data.shown ? <Detail {...props} of={data.shown} /> : undefined}
        empty={
          <Empty
            text="No agent has proposed a change yet."
            action={<ButtonLink href="/app/inbox">Inbox</ButtonLink>}
          />
        }
      />
    </>
  )
}

const State = ({ of: { state } }: { readonly of: ListedProposal }) => (
  <StateWord tone={states[state][1]}>{states[state][0]}</StateWord>
)

const Line = ({ of: one }: { readonly of: ListedProposal }) => (
  <>
    <span class="inbox-line">
      <bdi class="what">{one.title}</bdi>
      <span class="when">
        <Moment at={one.created_date} still />
      </span>
    </span>
    <span class="inbox-line dim">
      <State of={one} />
      <bdi class="what">{one.proposed_by}</bdi>
    </span>
  </>
)

function Detail(props: Props & { readonly of: ShownProposal }) {
  const { of: one } = props
  return (
    <Card title={<bdi>{one.title}</bdi>}>
      <p class="inbox-line">
        <State of={one} />
        <bdi>{one.proposed_by}</bdi>
        <Moment at={one.created_date} />
      </p>
      <h3>{headings[one.state]}</h3>
      <p class="plain-text" dir="auto">
        {one.effect}
      </p>
      <h3>Why, in the words of the agent</h3>
      <Quote text={one.reason} by={one.proposed_by} />
      {one.outcome !== null && (
        <Notice tone={one.state === 'unknown' || one.state === 'failed' ? 'bad' : 'plain'} title="Outcome">
          {one.outcome}
        </Notice>
      )}
      {one.why !== null && (
        <Notice tone="warn" title="It cannot be done any more">
          {one.why}
        </Notice>
      )}
      {one.state === 'open' && one.label !== null && (
        <p class="hint">
          {props.data.isDemo
            ? 'Demo: nothing leaves this machine. The button changes only the demo.'
            : 'Nothing happens until you press the button. Renown then does exactly this for your business. The audit log names you, not the agent.'}
        </p>
      )}
      <Decision {...props} />
      <p class="hint">
        {one.state === 'open' && (
          <>
            Expires <Moment at={one.expires_at} />.{' '}
          </>
        )}
        {one.decided_at !== null && (
          <>
            Decided <Moment at={one.decided_at} />.{' '}
          </>
        )}
        <a href={one.page}>Open the record</a>
      </p>
    </Card>
  )
}

function Decision({ of: one, csrf, outcome }: Props & { readonly of: ShownProposal }) {
  const hidden = { proposal: one.id, back: addressOf(one.id) }
  if (one.isAsked)
    return (
      <Row>
        {(['yes', 'no'] as const).map((made) => (
          <Form
            key={made}
            action={`${proposalsPath}/settle`}
            csrf={csrf}
            hidden={{ ...hidden, made }}
            label={made === 'yes' ? 'It was made' : 'It was not made'}
            inline
          >
            <Button kind={made === 'yes' ? 'primary' : 'plain'}>
              {made === 'yes' ? 'It was made' : 'It was not made'}
            </Button>
          </Form>
        ))}
      </Row>
    )
  if (one.state !== 'open') return null
  return (
    <>
      {one.label !== null && (
        <Form action={`${proposalsPath}/approve`} csrf={csrf} hidden={hidden} label={one.label}>
          <span data-key="r">
            <Button>{one.label}</Button>
          </span>
        </Form>
      )}
      <Form action={`${proposalsPath}/decline`} csrf={csrf} hidden={hidden} label="Decline">
        <Field
          name="note"
          label="Why not, for the agent"
          maxlength={300}
          value={outcome?.action === 'decline' ? (outcome.values?.note as string) : ''}
          error={outcome?.faults?.note}
          optional
        />
        <span data-key="x">
          <Button kind="plain">Decline</Button>
        </span>
      </Form>
    </>
  )
}
