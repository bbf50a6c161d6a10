// Whether the gateway answers. Whoever gets no answer reports it here; the banner shows it, and asks until
// there is one again.
let away = false
const listeners = new Set<() => void>()
const notify = (): void => {
  for (const listener of listeners) listener()
}

export const isAway = (): boolean => away
export function setAway(next: boolean): void {
  if (away === next) return
  away = next
  notify()
}
export const watchAway = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
