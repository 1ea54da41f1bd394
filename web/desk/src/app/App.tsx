export function App() {
  return <main>Deskwire</main>;
}
