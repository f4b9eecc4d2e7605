import { browser, type PageEvent, sendForm, useEffect, useRef, useState } from 'renown/web'
import type { ShownPreview } from './shown-preview'

/** Wait after the last key before the preview is asked for. */
const quietMs = 350
/** Fields that change the preview. */
const texts = ['keywords', 'required', 'exclude', 'languages'] as const

/** The preview of what was typed last, and whether a newer one is on its way. */
export interface LivePreview {
  readonly preview: ShownPreview | null
  readonly isOld: boolean
  readonly fault: string | null
  typed(event: PageEvent): void
}

/**
 * Keeps the preview up to date while people type. One request runs at a time, and the answer to older text is dropped.
 * Without a script, the form has a button for it.
 */
export function usePreview(action: string, csrf: string, begin: ShownPreview | null): LivePreview {
  const [state, setState] = useState({ preview: begin, isOld: false, fault: null as string | null })
  const timer = useRef<number | null>(null)
  const work = useRef({ isRunning: false, isNew: false })
  const ask = async () => {
    if (work.current.isRunning) return
    work.current = { isRunning: true, isNew: false }
    const fields = readFields()
    const outcome = await sendForm(action, csrf, fields).catch(() => null)
    const isNew = work.current.isNew
    work.current = { isRunning: false, isNew: false }
    const shown = (outcome?.ok ? outcome.shown : undefined) as { preview: ShownPreview } | undefined
    setState((was) =>
      shown
        ? { preview: shown.preview, isOld: isNew, fault: null }
        : {
            ...was,
            isOld: isNew,
            fault: outcome?.fault ?? 'The preview could not be loaded. Type again to retry.',
          },
    )
    if (isNew) void ask()
  }
  useEffect(
    () => () => {
      if (timer.current !== null) browser.clearTimeout(timer.current)
    },
    [],
  )
  return {
    ...state,
    typed({ target }) {
      const name = target.getAttribute('name') ?? ''
      if (!(texts as readonly string[]).includes(name)) return
      work.current.isNew = true
      setState((was) => ({ ...was, isOld: true }))
      if (timer.current !== null) browser.clearTimeout(timer.current)
      timer.current = browser.setTimeout(() => void ask(), quietMs)
    },
  }
}

const readFields = (): Record<string, string> =>
  Object.fromEntries(texts.map((name) => [name, browser.document.getElementById(name)?.value ?? '']))
