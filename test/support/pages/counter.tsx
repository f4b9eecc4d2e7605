/** @jsxImportSource renown/web */
import { Button, Card, Field, Form, Head, type PageProps, useLive, useState } from 'renown/web'
import type { CounterData } from './index'

/** A page with something of everything that pages can do. */
export default function Counter({ data, path, search, csrf, outcome, workspace }: PageProps<CounterData>) {
  const [clicks, setClicks] = useState(0)
  const [news, setNews] = useState<number | null>(null)
  const state = useLive<{ count: number }>('/app/events/ticks', ({ count }) => setNews(count))
  return (
    <>
      <Head title="Counter">{`${data.titles.length} notes in ${workspace.name}`}</Head>
      <Card>
        <ul>
          {data.titles.map((title) => (
            <li key={title}>{title}</li>
          ))}
        </ul>
        <p id="stage">{data.stage}</p>
        <a href={`${path}?stage=done`}>Done</a>
        <button type="button" class="button plain" onClick={() => setClicks(clicks + 1)}>
          Clicked {String(clicks)}
        </button>
        <p id="news">
          {state} {news === null ? 'nothing' : String(news)}
        </p>
        {outcome?.fault && <p id="fault">{outcome.fault}</p>}
        {typeof outcome?.shown === 'string' && <p id="shown">{outcome.shown}</p>}
        <Form action={`${path}/add`} csrf={csrf} hidden={{ back: `${path}?${search}` }} label="Add">
          <Field
            name="title"
            label="Title"
            value={String(outcome?.values?.title ?? '')}
            error={outcome?.faults?.title}
          />
          <Button>Add</Button>
        </Form>
        <Form action={`${path}/mint`} csrf={csrf} label="Mint">
          <Button>Mint</Button>
        </Form>
      </Card>
    </>
  )
}
