/** @jsxImportSource renown/web */
import type { ShownAct } from 'renown'
import {
  ActForm,
  Button,
  Card,
  Facts,
  Form,
  formatCount,
  Moment,
  Notice,
  type PageProps,
  Row,
  Select,
  StateWord,
} from 'renown/web'
import { HookState, hrefOf } from './hook-words'
import type { ShownAttempt, WebhooksData } from './webhooks-page'

type Chosen = NonNullable<WebhooksData['chosen']>
type Props = PageProps<WebhooksData> & { readonly chosen: Chosen }

/** One webhook: its state, what people can do with it, and its last attempts. */
export function ChosenWebhook(props: Props) {
  const { chosen, data } = props
  return (
    <>
      <Card>
        <Facts of={factsOf(chosen)} />
        {chosen.disabled_reason !== null && (
          <Notice tone="bad" title="Renown disabled this webhook">
            {chosen.disabled_reason} Its events wait. Repair the receiver, then verify the webhook again.
          </Notice>
        )}
        {data.may_change ? <Acts {...props} /> : <p class="hint">Webhooks of a demo cannot be changed.</p>}
      </Card>
      <Attempts {...props} />
      {data.may_change && <Keys {...props} />}
    </>
  )
}

const factsOf = (chosen: Chosen) =>
  [
    [
      'Address',
      <bdi key="url" class="hook-url">
        {chosen.url}
      </bdi>,
    ],
    ['State', <HookState key="state" hook={chosen} />],
    ['Events', chosen.types.length === 0 ? 'All' : chosen.types.join(', ')],
    ['Last delivered', chosen.delivered_at === null ? 'Never' : <Moment key="at" at={chosen.delivered_at} />],
    ...(chosen.failing_since === null
      ? []
      : [['Failing since', <Moment key="since" at={chosen.failing_since} />] as const]),
    ['Waiting', formatCount(chosen.waiting, 'event')],
    ...(chosen.undelivered === 0 ? [] : [['Given up', formatCount(chosen.undelivered, 'event')] as const]),
  ] as const

const hiddenOf = (path: string, { id }: Chosen) => ({ webhook: id, back: hrefOf(path, id) })

function Acts({ chosen, data: { acts }, path, csrf }: Props) {
  const form = (act: ShownAct, kind: 'primary' | 'plain') => (
    <ActForm of={act} path={path} csrf={csrf} hidden={hiddenOf(path, chosen)} kind={kind} />
  )
  const { state } = chosen
  return (
    <>
      {(state === 'unverified' || state === 'disabled') && (
        <p>
          Renown sends a signed message of the type <code>verification</code>. Your receiver answers with{' '}
          <code>{'{"challenge":"…"}'}</code>, the challenge of the message.
          {chosen.was_verified
            ? ' Then it gets the events that wait.'
            : ' Then it gets the events from now on.'}
        </p>
      )}
      <Row>
        {(state === 'unverified' || state === 'disabled') && form(acts.verify, 'primary')}
        {state === 'active' && form(acts.pause, 'plain')}
        {state === 'paused' && form(acts.resume, 'primary')}
      </Row>
    </>
  )
}

function Attempts(props: Props) {
  const { chosen, data, path, csrf } = props
  const mayReplay = data.may_change && chosen.state === 'active'
  return (
    <Card title="Attempts" about="The last 50. Attempts are kept for 30 days.">
      {chosen.attempts.length === 0 ? (
        <div class="empty">Nothing was sent yet.</div>
      ) : (
        <ol class="attempts">
          {chosen.attempts.map((one) => (
            <Attempt key={one.id} {...props} attempt={one} mayReplay={mayReplay} />
          ))}
        </ol>
      )}
      {mayReplay && (
        <Form
          action={`${path}/replay-since`}
          csrf={csrf}
          hidden={hiddenOf(path, chosen)}
          inline
          label="Send events again"
        >
          <Select
            name="span"
            label="Send again all events of"
            value="day"
            options={[
              ['hour', 'the last hour'],
              ['day', 'the last day'],
              ['week', 'the last week'],
            ]}
          />
          <Button kind="plain">Send again</Button>
        </Form>
      )}
    </Card>
  )
}

function Attempt({
  attempt,
  mayReplay,
  chosen,
  path,
  csrf,
}: Props & { readonly attempt: ShownAttempt; readonly mayReplay: boolean }) {
  const [tone, word] = outcomes[attempt.outcome]
  const said = [attempt.error, attempt.answer].filter((one) => one !== null)
  return (
    <li>
      <div class="attempt-line">
        <StateWord tone={tone}>{word}</StateWord>
        <code>{attempt.type}</code>
        <span class="when">
          <Moment at={attempt.at} />
        </span>
      </div>
      {said.map((text) => (
        <div key={text} class="attempt-more" dir="auto">
          {text}
        </div>
      ))}
      <div class="attempt-foot">
        <span class="attempt-more">
          {[
            attempt.status === null ? 'No answer' : `Status ${attempt.status}`,
            ...(attempt.took_ms === null ? [] : [`${attempt.took_ms} ms`]),
            `Attempt ${attempt.number}`,
          ].join(' · ')}
        </span>
        {mayReplay && (
          <Form
            action={`${path}/replay`}
            csrf={csrf}
            hidden={{ ...hiddenOf(path, chosen), event_id: attempt.event_id }}
            inline
            label={`Send ${attempt.type} again`}
          >
            <Button kind="quiet">Send again</Button>
          </Form>
        )}
      </div>
    </li>
  )
}

const outcomes = {
  calling: ['plain', 'Sending'],
  delivered: ['good', 'Delivered'],
  failed: ['bad', 'Failed'],
  unknown: ['warn', 'Interrupted'],
} as const

function Keys({ chosen, path, csrf }: Props) {
  const hidden = hiddenOf(path, chosen)
  return (
    <>
      <Card
        title="Signing secret"
        about={
          chosen.former_until === null
            ? 'After a rotation, messages are signed with both secrets for a day.'
            : 'Messages are signed with the new and the former secret until a day after the rotation.'
        }
      >
        <Form action={`${path}/rotate`} csrf={csrf} hidden={hidden} label="Rotate secret">
          <Row>
            <Button kind="plain">Rotate secret</Button>
          </Row>
        </Form>
      </Card>
      <Card title="Delete" about="This cannot be undone. Waiting events are not sent.">
        <Form action={`${path}/remove`} csrf={csrf} hidden={{ webhook: chosen.id }} label="Delete">
          <Row>
            <Button kind="danger">Delete webhook</Button>
          </Row>
        </Form>
      </Card>
    </>
  )
}
