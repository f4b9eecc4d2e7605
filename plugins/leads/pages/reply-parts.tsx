/** @jsxImportSource renown/web */
import { Button, Checkbox, Field, Form, Moment, Notice, OutLink, Quote, Row } from 'renown/web'
import type { ShownMention } from './load-mention'
import type { ShownSentReply } from './load-reply'
import { type DetailProps, formOf } from './mention-forms'

/** What a person confirms before Renown sends the reply, and the button that sends it. */
export function ByAccount({ of: { sending, status }, outcome }: DetailProps) {
  const { choice, disclosure } = sending
  if (choice.way !== 'account' || status === 'dismissed') return null
  const failed = outcome?.ok === false && outcome.action === 'write' ? outcome : null
  return (
    <>
      {disclosure !== null && (
        <Checkbox
          name="says_who"
          label="My text says in other words who writes it"
          hint={`Otherwise it needs the sentence “${disclosure}”`}
          error={failed?.faults?.says_who}
          checked={failed?.values?.says_who === 'yes'}
        />
      )}
      <Checkbox
        name="sure"
        label={`Post it on ${choice.label} for everybody to see`}
        error={failed?.faults?.sure}
      />
      <Row>
        <span data-send="">
          <Button name="do" value="send">
            Reply as <bdi>{choice.account}</bdi>
          </Button>
        </span>
      </Row>
    </>
  )
}

/** Why Renown does not send the reply, and what a person does instead. */
export function ByHand({ of: { sending } }: { readonly of: ShownMention }) {
  const { choice } = sending
  if (choice.way !== 'open') return null
  return (
    <p class="hint">
      {choice.why}{' '}
      {choice.fix && (
        <>
          <a href={choice.fix.href}>{choice.fix.label}</a>.{' '}
        </>
      )}
      The button below copies your text and opens the thread, where you paste it. Without JavaScript, copy the
      text yourself.
    </p>
  )
}

/** How far a reply is that a person sent through Renown. */
export function Sending(props: DetailProps) {
  const { sending, reply, url } = props.of
  const { attempt } = sending
  if (attempt === null || (attempt.state !== 'sent' && reply !== null)) return null
  const { state, account, error } = attempt
  if (state === 'queued' || state === 'sending') return <Waiting {...props} />
  if (state === 'sent')
    return (
      <>
        <p class="hint">
          Sent as <bdi>{account}</bdi>.
        </p>
        <Twins of={attempt} />
      </>
    )
  if (state === 'cancelled') return <p class="hint">You cancelled the reply before it was sent.</p>
  if (attempt.is_unknown) return <Undecided {...props} />
  return (
    <Notice tone="bad" title="The reply was not sent">
      <p>{error || 'The platform gave no reason.'}</p>
      <p>
        Change the text, or <OutLink href={url}>open the post</OutLink> and answer there.
      </p>
    </Notice>
  )
}

/** Says that the platform shows the reply more than once. */
function Twins({ of: { duplicate_urls: urls, url } }: { readonly of: ShownSentReply }) {
  if (urls.length === 0) return null
  const all = [url, ...urls].filter((one) => one !== null)
  return (
    <Notice tone="bad" title="This reply is in the thread more than once">
      <p>Delete the ones that you do not want.</p>
      <ul>
        {all.map((one) => (
          <li key={one}>{/^https?:/.test(one) ? <OutLink href={one} /> : <bdi dir="ltr">{one}</bdi>}</li>
        ))}
      </ul>
    </Notice>
  )
}

function Waiting(props: DetailProps) {
  const { attempt } = props.of.sending
  if (attempt === null) return null
  const cancel = formOf(props, 'reply-cancel')
  return (
    <>
      <p role="status">
        {attempt.state === 'queued' ? 'Waiting to be sent' : 'Being sent'} as <bdi>{attempt.account}</bdi>.
        Requested <Moment at={attempt.requested_at} />.
      </p>
      {attempt.state === 'sending' && attempt.held_as !== null && (
        <Notice tone="warn" title="The platform holds this reply back">
          <p>
            Its state there is <bdi>{attempt.held_as}</bdi>. Renown looks at it for seven days.
          </p>
        </Notice>
      )}
      <Quote text={attempt.text} />
      {attempt.state === 'queued' && (
        <Form {...cancel} label="Cancel the reply" inline>
          <Button kind="plain">Cancel the reply</Button>
        </Form>
      )}
      <div data-reload="10" />
    </>
  )
}

/** The two decisions about a reply of which nobody can prove whether it was sent. */
function Undecided(props: DetailProps) {
  const { attempt } = props.of.sending
  const { url, location } = props.of
  if (attempt === null) return null
  const failed = props.outcome?.action === 'reply-confirm' ? props.outcome : null
  const typed = failed?.values?.url
  return (
    <>
      <Notice tone="warn" title="Nobody knows whether this reply was sent">
        <p>
          Renown cannot prove that the reply is in the thread. Look there for a reply as{' '}
          <bdi>{attempt.account}</bdi> of <bdi>{location.name}</bdi>:{' '}
          <OutLink href={url}>open the thread</OutLink>.
        </p>
        {attempt.error !== '' && <p>{attempt.error}</p>}
      </Notice>
      <Quote text={attempt.text} />
      <Form {...formOf(props, 'reply-confirm')} label="It is there">
        <Field
          name="url"
          label="Address of the reply"
          type="url"
          value={typeof typed === 'string' ? typed : ''}
          error={failed?.faults?.url}
        />
        <Row>
          <Button>It is there</Button>
        </Row>
      </Form>
      <Form {...formOf(props, 'reply-again')} label="Send again" inline>
        <Button kind="danger">It is not there: send again</Button>
      </Form>
    </>
  )
}

/** The form for a mention that a person answered outside Renown. */
export function AnsweredByHand(props: DetailProps) {
  const { reply, status, sending } = props.of
  if (reply !== null || status === 'dismissed' || sending.choice.way === 'none') return null
  const failed = props.outcome?.action === 'answered' ? props.outcome : null
  const typed = failed?.values?.url
  return (
    <Form {...formOf(props, 'answered')} label="Answered by hand">
      <Field
        name="url"
        label="Address of your answer"
        type="url"
        value={typeof typed === 'string' ? typed : ''}
        error={failed?.faults?.url}
        optional
      />
      <Row>
        <Button kind="plain">I answered</Button>
      </Row>
    </Form>
  )
}
