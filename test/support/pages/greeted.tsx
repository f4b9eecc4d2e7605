/** @jsxImportSource renown/web */
import { Moment, type PageProps, useState, useWords } from 'renown/web'
import type { greetedWords } from './greeted-words'
import type { GreetedData } from './index'

/** A page with a script and with words. */
export default function Greeted({ data }: PageProps<GreetedData>) {
  const words = useWords<typeof greetedWords>()
  const [count, setCount] = useState(data.count)
  return (
    <>
      <h1 title={words.text('title')}>{words('title')}</h1>
      <p id="stars">{words('stars', { count })}</p>
      <p id="mixed">{words.mixed('link', { page: <a href="/app">{words('title')}</a> })}</p>
      <p id="untranslated">{words('untranslated')}</p>
      <button type="button" class="button" onClick={() => setCount(1)}>
        1
      </button>
      <Moment at={data.at} />
    </>
  )
}
