// News from dslc notebook --watch: "running", with the cell under way, and "ready" when there is a new page.
const news = document.getElementById("news");
const events = new EventSource("/events");
let lost = false;
events.addEventListener("running", e => { news.textContent = "running " + e.data + " …"; });
events.addEventListener("ready", () => location.reload());
events.onopen = () => { if (lost) location.reload(); };
events.onerror = () => { lost = true; news.textContent = "not connected"; };
