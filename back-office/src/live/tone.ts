/** One short tone, so many seconds from now. */
export function tone(audio: AudioContext, frequency: number, afterS: number): void {
  const oscillator = audio.createOscillator()
  const gain = audio.createGain()
  const start = audio.currentTime + afterS
  oscillator.frequency.value = frequency
  gain.gain.setValueAtTime(0.25, start)
  gain.gain.exponentialRampToValueAtTime(0.001, start + 0.3)
  oscillator.connect(gain).connect(audio.destination)
  oscillator.start(start)
  oscillator.stop(start + 0.3)
}
