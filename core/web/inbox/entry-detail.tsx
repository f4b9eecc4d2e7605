/** @jsxImportSource ../jsx */
import type { PageProps } from '../client/page-props'
import { Button, ButtonLink, Card, Form, Moment, Row } from '../kit'
import { Quote } from '../parts/quote'
import { StateWord } from '../parts/state-word'
import type { KeyedEntry } from './collect'
import { addressOf, type InboxData, inboxPath } from './load-inbox'

type Props = PageProps<InboxData> & { readonly of: KeyedEntry }

/** The selected entry: its text, the link to the page where it is handled, and other actions. */
export function EntryDetail(props: Props) {
  const { of: entry, data } = props
  return (
    <Card title={<bdi>{entry.title}</bdi>}>
      <p class="inbox-line">
        <StateWord tone={entry.tone}>{entry.word}</StateWord>
        {entry.about !== undefined && <bdi>{entry.about}</bdi>}
        <Moment at={entry.at} />
      </p>
      {entry.quote && <Quote {...entry.quote} />}
      {entry.text !== undefined && (
        <p class="plain-text" dir="auto">
          {entry.text}
        </p>
      )}
      {data.act !== null && data.is_demo && (
        <p class="hint">Demo: nothing leaves this machine. The button changes only the demo.</p>
      )}
      <Row>
        {data.act !== null && (
          <Form
            action={`${inboxPath}/act`}
            csrf={props.csrf}
            hidden={hiddenOf(props)}
            label={data.act}
            inline
          >
            <span data-key="r">
              <Button>{data.act}</Button>
            </span>
          </Form>
        )}
        {data.other !== null && (
          <Form
            action={`${inboxPath}/other`}
            csrf={props.csrf}
            hidden={hiddenOf(props)}
            label={data.other}
            inline
          >
            <span data-key="x">
              <Button kind="plain">{data.other}</Button>
            </span>
          </Form>
        )}
        {entry.link && (
          <ButtonLink {...(data.act === null ? { kind: 'primary' } : {})} href={entry.link.href}>
            {entry.link.label}
          </ButtonLink>
        )}
        <Marks {...props} />
      </Row>
      <p class="hint">
        Snoozed entries come back at 08:00: <Moment at={data.wakes.tomorrow} />, or Monday,{' '}
        <Moment at={data.wakes.monday} />. An entry that changes comes back at once.
      </p>
    </Card>
  )
}

/** Returns the hidden fields of a form: the entry, its shown state, and the next entry. */
const hiddenOf = ({ of: entry, data: { asked, following } }: Props) => ({
  entry: entry.key,
  state: entry.state,
  kind: asked.kind,
  following,
  back: addressOf(asked),
})

function Marks(props: Props) {
  const { of: entry, csrf, data } = props
  const hidden = hiddenOf(props)
  const form = (name: string) => ({ action: `${inboxPath}/${name}`, csrf, inline: true })
  return (
    <>
      <Form {...form('done')} hidden={hidden} label="Done">
        <span data-key="e">
          <Button kind={entry.link || data.act !== null ? 'plain' : 'primary'}>Done</Button>
        </span>
      </Form>
      <Form {...form('snooze')} hidden={{ ...hidden, until: 'tomorrow' }} label="Snooze until tomorrow">
        <span data-key="s">
          <Button kind="quiet">Snooze until tomorrow</Button>
        </span>
      </Form>
      <Form {...form('snooze')} hidden={{ ...hidden, until: 'monday' }} label="Snooze until Monday">
        <Button kind="quiet">Snooze until Monday</Button>
      </Form>
    </>
  )
}
