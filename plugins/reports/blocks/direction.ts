/** Whether a text is read from right to left: its first letter of any script decides. */
export const isRtl = (text: string): boolean => {
  const [first] = /\p{L}/u.exec(text) ?? []
  return (
    first !== undefined &&
    /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u.test(first)
  )
}
