/** @jsxImportSource ../jsx */
import { Button, Form } from '../kit'
import { Icon } from './icon'

export interface ToastProps {
  /** What was done, such as “Marked as done.” */
  readonly text: string
  /** The form that takes it back. */
  readonly undo?: UndoProps
}

export interface UndoProps {
  readonly action: string
  readonly csrf: string
  readonly hidden?: Readonly<Record<string, string>>
  /** What is taken back, for screen readers: “Undo: marked as done”. */
  readonly what: string
}

/**
 * Says what was done, and takes it back. It goes after 8 s; without a script it stays until the next page. A destructive
 * act asks before it is done and needs no Undo.
 */
export const Toast = ({ text, undo }: ToastProps) => (
  <div class="toasts">
    <div class="toast" role="status" data-toast="">
      <Icon name="check" />
      <span>{text}</span>
      {undo && <Undo {...undo} />}
    </div>
  </div>
)

/** The button that takes something back. */
export const Undo = ({ action, csrf, hidden = {}, what }: UndoProps) => (
  <Form action={action} csrf={csrf} hidden={hidden} label={`Undo: ${what}`} inline>
    <Button kind="quiet">
      Undo<span class="unseen">: {what}</span>
    </Button>
  </Form>
)
