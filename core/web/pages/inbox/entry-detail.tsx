/** @jsxImportSource ../../kit/jsx */
import type { PageProps } from '../../kit/browser/page-props'
import { Button, ButtonLink, Card, Form, Moment, Row } from '../../kit/parts/kit'
import { shown, useWords } from '../../kit/parts/language'
import { listAddress } from '../../kit/parts/listed'
import { Quote } from '../../kit/parts/quote'
import { StateWord } from '../../kit/parts/state-word'
import { type InboxData, inboxPath, type SelectedEntry } from './load-inbox'
import type { inboxWords } from './words'

type Props = PageProps<InboxData> & { readonly of: SelectedEntry }

/** The selected entry: its text, the link to the page where it is handled, and other actions. */
export function EntryDetail(props: Props) {
  const {
    of: { entry, act, other },
    data,
  } = props
  const words = useWords<typeof inboxWords>()
  return (
    <Card title={<bdi>{shown(entry.title)}</bdi>}>
      <p class="inbox-line">
        <StateWord tone={entry.tone}>{shown(entry.word)}</StateWord>
        {entry.about !== undefined && <bdi>{shown(entry.about)}</bdi>}
        <Moment at={entry.at} />
      </p>
      {entry.quote && <Quote {...entry.quote} by={entry.quote.by && shown(entry.quote.by)} />}
      {entry.text !== undefined && (
        <p class="plain-text" dir="auto">
          {entry.text.flatMap((line, at) => (at === 0 ? [shown(line)] : ['\n', shown(line)]))}
        </p>
      )}
      {act !== null && data.is_demo && <p class="hint">{words('demoHint')}</p>}
      <Row>
        {act !== null && (
          <Form
            action={`${inboxPath}/act`}
            csrf={props.csrf}
            hidden={hiddenOf(props)}
            label={act.text}
            inline
          >
            <span data-key="r">
              <Button>{shown(act)}</Button>
            </span>
          </Form>
        )}
        {other !== null && (
          <Form
            action={`${inboxPath}/other`}
            csrf={props.csrf}
            hidden={hiddenOf(props)}
            label={other.text}
            inline
          >
            <span data-key="x">
              <Button kind="plain">{shown(other)}</Button>
            </span>
          </Form>
        )}
        {entry.link && (
          <ButtonLink {...(act === null ? { kind: 'primary' } : {})} href={entry.link.href}>
            {shown(entry.link.label)}
          </ButtonLink>
        )}
        <Marks {...props} />
      </Row>
      <p class="hint">
        {words.mixed('snoozeHint', {
          tomorrow: <Moment at={data.wakes.tomorrow} />,
          monday: <Moment at={data.wakes.monday} />,
        })}
      </p>
    </Card>
  )
}

/** Returns the hidden fields of a form: the entry, its shown state, and the next entry. */
const hiddenOf = ({ of: { entry }, data: { list, following } }: Props) => ({
  entry: entry.key,
  state: entry.state,
  kind: list.asked.kind ?? '',
  following,
  back: listAddress(list, { entry: entry.key }),
})

function Marks(props: Props) {
  const {
    of: { entry, act },
    csrf,
  } = props
  const hidden = hiddenOf(props)
  const words = useWords<typeof inboxWords>()
  const form = (name: string) => ({ action: `${inboxPath}/${name}`, csrf, inline: true })
  return (
    <>
      <Form {...form('done')} hidden={hidden} label={words.text('done')}>
        <span data-key="e">
          <Button kind={entry.link || act !== null ? 'plain' : 'primary'}>{words('done')}</Button>
        </span>
      </Form>
      <Form
        {...form('snooze')}
        hidden={{ ...hidden, until: 'tomorrow' }}
        label={words.text('snoozeTomorrow')}
      >
        <span data-key="s">
          <Button kind="quiet">{words('snoozeTomorrow')}</Button>
        </span>
      </Form>
      <Form {...form('snooze')} hidden={{ ...hidden, until: 'monday' }} label={words.text('snoozeMonday')}>
        <Button kind="quiet">{words('snoozeMonday')}</Button>
      </Form>
    </>
  )
}
