/** @jsxImportSource ../../../../../core/web/kit/jsx */
import type { ListData } from '../../../../../core/doors/pages'
import { Head, Listed, type PageProps } from '../../../../../core/web/kit/client'

interface Line {
  readonly title: string
  readonly stage: string
}

/** A page with a list of notes, and the chosen one beside it. */
export default function NotesPage(props: PageProps<ListData<unknown, Line, { readonly title: string }>>) {
  return (
    <>
      <Head title="Notes" />
      <Listed
        of={props.data.list}
        page={props}
        line={({ title, stage }) => `${title}: ${stage}`}
        detail={({ title }) => <p>The note {title}</p>}
        start={<p>Write the first note.</p>}
      />
    </>
  )
}
