// How text is measured: as the other implementations measure it, not in UTF-16.

/** Bytes in UTF-8. */
export function utf8Length(text: string): number {
  let bytes = 0;
  for (let place = 0; place < text.length; place += 1) {
    const unit = text.charCodeAt(place);
    const leads = unit >= 0xd800 && unit < 0xdc00;
    // A surrogate pair is four bytes: three for its first half here, one for its second.
    if (leads && isTrail(text.charCodeAt(place + 1))) {
      bytes += 4;
      place += 1;
    } else {
      bytes += unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3;
    }
  }
  return bytes;
}

function isTrail(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}

/** Unicode characters. */
export function characters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Whether there is nothing but white space. */
export function isBlank(text: string): boolean {
  return /^\p{White_Space}*$/u.test(text);
}
