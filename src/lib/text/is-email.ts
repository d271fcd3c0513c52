/** Whether it has the form that the server checks too: one @ between two parts without blanks, the second with a dot. */
export const isEmail = (text: string): boolean => /^[^\s@,;]+@[^\s@,;]+\.[^\s@,;]+$/u.test(text);
